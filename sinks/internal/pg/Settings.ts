/** Options of a table's vectors, given as such or in the query of its address. */
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

export interface Settings {
  readonly vectorIndex: "none" | "hnsw"
  /** Null: the type of the existing column, `vector` for a new one. */
  readonly vectorType: "vector" | "halfvec" | null
  /** Null: that of the embedding space. */
  readonly metric: "cosine" | "dot" | "euclidean" | null
  /** Null: that of the embedding space. */
  readonly dimensions: number | null
  readonly hnsw: Hnsw
}

/** Null: that of an existing index, else the extension's own. */
export interface Hnsw {
  readonly m: number | null
  readonly efConstruction: number | null
  readonly efSearch: number | null
}

/** The settings as options. */
export interface Given {
  readonly vectorIndex?: "none" | "hnsw" | undefined
  readonly vectorType?: "vector" | "halfvec" | undefined
  readonly metric?: "cosine" | "dot" | "euclidean" | undefined
  readonly dimensions?: number | undefined
  readonly hnsw?:
    | {
        readonly m?: number | undefined
        readonly efConstruction?: number | undefined
        readonly efSearch?: number | undefined
      }
    | undefined
}

const choices = {
  vectorIndex: ["none", "hnsw"],
  vectorType: ["vector", "halfvec"],
  metric: ["cosine", "dot", "euclidean"]
} as const

/** Bounds of pgvector. */
const bounds = {
  dimensions: [1, 16_000],
  m: [2, 100],
  efConstruction: [4, 1000],
  efSearch: [1, 1000]
} as const

/** Names of the parameters in an address; they are not the driver's. */
export const names: ReadonlyArray<string> = [...Object.keys(choices), ...Object.keys(bounds)]

const refused = (problem: string) => Either.left(new SinkError({ sink: "pgvector", reason: "Rejected", problem }))

const choice = <Name extends keyof typeof choices>(
  name: Name,
  given: (typeof choices)[Name][number] | undefined,
  address: URLSearchParams
): Either.Either<(typeof choices)[Name][number] | null, SinkError> => {
  const value = given ?? address.get(name)
  if (value === null) return Either.right(null)
  const allowed: ReadonlyArray<(typeof choices)[Name][number]> = choices[name]
  const found = allowed.find((one) => one === value)
  return found === undefined ? refused(`\`${name}\` must be one of ${allowed.join(", ")}`) : Either.right(found)
}

const count = (
  name: keyof typeof bounds,
  given: number | undefined,
  address: URLSearchParams
): Either.Either<number | null, SinkError> => {
  const text = address.get(name)
  const value = given ?? (text === null ? null : Number(text === "" ? Number.NaN : text))
  const [least, most] = bounds[name]
  return value === null || (Number.isInteger(value) && value >= least && value <= most)
    ? Either.right(value)
    : refused(`\`${name}\` must be a whole number from ${least} to ${most}`)
}

/** Options count before the parameters of the address. */
export const make = (given: Given, address: URLSearchParams): Effect.Effect<Settings, SinkError> =>
  Effect.gen(function* () {
    const m = yield* count("m", given.hnsw?.m, address)
    const efConstruction = yield* count("efConstruction", given.hnsw?.efConstruction, address)
    if (efConstruction !== null && efConstruction < 2 * (m ?? 16)) {
      return yield* refused(`\`efConstruction\` must be at least twice \`m\`, which is ${m ?? 16}`)
    }
    return {
      vectorIndex: (yield* choice("vectorIndex", given.vectorIndex, address)) ?? "none",
      vectorType: yield* choice("vectorType", given.vectorType, address),
      metric: yield* choice("metric", given.metric, address),
      dimensions: yield* count("dimensions", given.dimensions, address),
      hnsw: { m, efConstruction, efSearch: yield* count("efSearch", given.hnsw?.efSearch, address) }
    }
  })
