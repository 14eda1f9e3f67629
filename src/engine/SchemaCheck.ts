/** JSON Schemas of callers: compiled and checked in child processes, since a schema may take any time and memory. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Mismatch } from "../Extraction.ts"
import { isRecord } from "../internal/base/rules.ts"
import type { EngineError } from "../service/Engine.ts"
import { UnprocessableEntity } from "../service/ServiceError.ts"
import * as Failure from "./Failure.ts"
import { SchemaResult } from "./jobs.ts"
import type { LaneError } from "./lanes/LaneError.ts"
import * as ParserPool from "./ParserPool.ts"

/**
 * Checks by the schemas of callers. A schema that is invalid, that exceeds a bound, or that takes too much time or memory is a 422, which
 * affects no other check. Interruption ends a check at once.
 */
export interface SchemaCheck {
  /** Fails for an invalid schema. */
  readonly valid: (schema: JsonSchema) => Effect.Effect<void, EngineError>
  /** The first places where the value does not conform, at most 50. The value must be JSON. */
  readonly mismatches: (schema: JsonSchema, value: unknown) => Effect.Effect<ReadonlyArray<Mismatch>, EngineError>
}

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Bounds of a schema: characters of its keys and texts with one for each value, levels of nesting, and `$ref`s. Seconds of a check, and
 * checks at a time.
 */
export const most = { characters: 262_144, depth: 100, references: 1000, seconds: 10, checks: 4 } as const

/** Memory of a check in MiB: a schema within the bounds needs less. */
const memory = { heap: 160, resident: 400 } as const

/** Entries of an object or a list by name; none of another value. */
const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Array.isArray(value)
    ? value.map((item: unknown) => ["", item] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []

/** The first bound that a schema exceeds. Level by level, so that no schema exhausts the stack. */
const excess = (schema: JsonSchema): string | undefined => {
  let characters = 0
  let references = 0
  let level: ReadonlyArray<unknown> = [schema]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most.depth) return `it is nested more than ${most.depth} levels deep`
    const next: Array<unknown> = []
    for (const value of level) {
      for (const [name, member] of entriesOf(value)) {
        characters += name.length + (typeof member === "string" ? member.length : 0) + 1
        if (characters > most.characters) return `it has more than ${most.characters} characters`
        if (/^\$(dynamic|recursive)?ref$/iu.test(name) && ++references > most.references) {
          return `it has more than ${most.references} $refs`
        }
        next.push(member)
      }
    }
    level = next
  }
  return undefined
}

const invalid = (problem: string): UnprocessableEntity =>
  new UnprocessableEntity({ status: 422, error: `Invalid JSON Schema: ${problem}`, details: [problem] })

/** A check that the schema itself ended. */
const spent: Partial<Readonly<Record<LaneError["reason"], string>>> = {
  Deadline: `checking it takes more than ${most.seconds} seconds`,
  OutOfMemory: "checking it takes too much memory",
  Crashed: "it cannot be checked"
}

/** Undefined for a value that is nested too deeply to be written. */
const encoded = (job: object): Uint8Array | undefined => {
  try {
    return new TextEncoder().encode(JSON.stringify(job))
  } catch {
    return undefined
  }
}

const tooDeep: ReadonlyArray<Mismatch> = [{ path: "", message: "is nested too deeply to be checked" }]

const decodeResult = Schema.decodeUnknown(SchemaResult)

/** Makes the checks. Their processes start with the first of them; each ends after a minute without one, and with the scope. */
export const make: Effect.Effect<SchemaCheck, never, Scope.Scope> = Effect.gen(function* () {
  const pool = yield* ParserPool.make(most.checks, memory)
  const within = Duration.seconds(most.seconds)

  const checked = (schema: JsonSchema, job: object): Effect.Effect<ReadonlyArray<Mismatch>, EngineError> =>
    Effect.gen(function* () {
      const over = excess(schema)
      if (over !== undefined) return yield* invalid(over)
      const bytes = encoded({ schema, ...job })
      if (bytes === undefined) return tooDeep
      const reply = yield* Effect.mapError(pool.run({ kind: "schema", bytes }, within), (error) => {
        const problem = spent[error.reason]
        return problem === undefined ? Failure.ofLane(error, Duration.toMillis(within)) : invalid(problem)
      })
      if (reply._tag !== "Done") return yield* Failure.ofReply(reply)
      const result = yield* Effect.orDie(decodeResult(reply.value))
      return result.kind === "invalid" ? yield* invalid(result.problem) : result.mismatches
    }).pipe(Effect.interruptible)

  return {
    valid: (schema) => Effect.asVoid(checked(schema, {})),
    mismatches: (schema, value) => checked(schema, { value })
  }
})
