/** A folder of documents, ingested by a real run into a store, and questions to that store. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import * as Corpus from "docsluice/Corpus"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import * as Ask from "../../../src/internal/look/ask.ts"
import type { Drawing } from "../../../src/internal/look/hitPages.ts"
import type { Store } from "../../../src/internal/look/store.ts"
import * as SinkTarget from "../../../src/internal/target/sinkTarget.ts"
import * as Pdf from "../../engine/pdf/writePdf.ts"

/** A PDF with a heading and a sentence on each page. */
export const pdf = (...pages: ReadonlyArray<string>): Uint8Array =>
  Pdf.write({
    pages: pages.map((sentence) => ({
      width: 400,
      height: 500,
      marks: [Pdf.text(50, 60, "Gauges", { size: 22, font: "bold" }), Pdf.text(50, 120, sentence, { size: 12 })]
    }))
  })

export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "docsluice-ask-")))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

export interface World {
  readonly folder: string
  readonly docs: string
  readonly state: string
  readonly store: `${"libsql" | "lancedb" | "qdrant"}:${string}`
  /** Ingests a root into the store: the documents by default. */
  readonly ingest: (root?: string, embedder?: "hash" | "none") => Effect.Effect<void>
}

const caller = "someone"

/** `docs` holds a PDF of two pages, and a text, which has no pages. */
export const world = (kind: "libsql" | "lancedb" = "libsql"): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = yield* folder
    const [docs, state] = [path.join(directory, "docs"), path.join(directory, "state")]
    const store = `${kind}:${path.join(directory, "store.db")}` as const
    fs.mkdirSync(path.join(docs, "deep"), { recursive: true })
    fs.writeFileSync(
      path.join(docs, "deep", "gauges.pdf"),
      pdf("Calibrate in spring.", "Grease the turnstile in autumn.")
    )
    fs.writeFileSync(path.join(docs, "notes.txt"), "The anemometer stands on the roof.\n")
    const ingest = (root = docs, embedder: "hash" | "none" = "hash") =>
      Effect.flatMap(Corpus.Corpus, (corpus) => corpus.ingest({ root })).pipe(
        Effect.provide(Corpus.layer({ to: [store], embedder, state })),
        Effect.provide(NodeContext.layer),
        Effect.orDie,
        Effect.asVoid
      )
    return { folder: directory, docs, state, store, ingest }
  })

/** A world that was ingested once, for tests that change none of it. */
export class Ingested extends Context.Tag("test/Ingested")<Ingested, World>() {}

export const ingested: Layer.Layer<Ingested> = Layer.scoped(
  Ingested,
  Effect.tap(world(), ({ ingest }) => ingest())
)

/** A copy of that world; its state knows the folder of the first one. */
export const copy: Effect.Effect<Omit<World, "ingest">, never, Ingested | Scope.Scope> = Effect.gen(function* () {
  const original = yield* Ingested
  const directory = yield* folder
  fs.cpSync(original.folder, directory, { recursive: true })
  return {
    folder: directory,
    docs: path.join(directory, "docs"),
    state: path.join(directory, "state"),
    store: `libsql:${path.join(directory, "store.db")}`
  }
})

export interface Asking extends Partial<Pick<Ask.Options, "state" | "timeLimit" | "drawing" | "environment">> {
  readonly roots?: Readonly<Record<string, string>>
  readonly embedder?: string
  readonly rerank?: string
}

/** Refuses every document. */
const blank: Drawing = {
  sizes: () => Effect.fail({ message: "it was read" }),
  draw: () => Effect.fail({ message: "it was read" })
}

export const ask = (
  world: Pick<World, "store" | "state">,
  asking: Asking = {}
): Effect.Effect<
  Store & {
    readonly one: (query: string) => Effect.Effect<Effect.Effect.Success<ReturnType<Store["search"]>>["hits"][number]>
  },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const made = yield* Ask.make({
      target: yield* SinkTarget.parse(world.store, {}),
      embedder: Option.fromNullable(asking.embedder),
      rerank: asking.rerank ?? "none",
      environment: asking.environment ?? {},
      roots: new Map(Object.entries(asking.roots ?? {})),
      state: asking.state === undefined ? world.state : asking.state,
      drawing: asking.drawing ?? blank,
      timeLimit: asking.timeLimit
    })
    const one = (query: string) =>
      Effect.flatMap(Effect.orDie(made.search({ query, limit: 1, minScore: 0 }, caller)), ({ hits }) => {
        const [hit] = hits
        return hit === undefined ? Effect.dieMessage(`nothing found for ${query}`) : Effect.succeed(hit)
      })
    return { ...made, one }
  }).pipe(Effect.provide(NodeContext.layer), Effect.orDie)

export { caller }
