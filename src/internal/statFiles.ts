import * as fs from "node:fs"
import * as Effect from "effect/Effect"

/** What the disk says of a path, or why it says nothing. */
export type Answer = fs.BigIntStats | NodeJS.ErrnoException

/** Paths that are asked for in one go. */
const slice = 128

/** Nanoseconds that a slice may hold the event loop: 0.1 ms a path, ten times what a local disk takes. */
const patience = BigInt(slice) * 100_000n

/**
 * Asks for paths in slices of 128. On a quick disk without leaving the thread (a fifth of the cost of a trip through the
 * thread pool); from the first slice on that took long, as on a network share, by 16 at a time in the background.
 */
export const make: Effect.Effect<(paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Answer>>> = Effect.map(
  Effect.clock,
  (clock) => {
    let slow = false
    const direct = (paths: ReadonlyArray<string>): ReadonlyArray<Answer> => {
      const start = clock.unsafeCurrentTimeNanos()
      const answers = paths.map(statNow)
      slow ||= clock.unsafeCurrentTimeNanos() - start > patience
      return answers
    }
    const some = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Answer>> =>
      slow ? Effect.forEach(paths, stat, { concurrency: 16 }) : Effect.sync(() => direct(paths))
    return (paths) =>
      paths.length <= slice
        ? some(paths)
        : Effect.map(
            Effect.forEach(slices(paths), (part) => Effect.zipLeft(some(part), Effect.yieldNow())),
            (parts) => parts.flat()
          )
  }
)

const slices = (paths: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<ReadonlyArray<string>> = []
  for (let at = 0; at < paths.length; at += slice) parts.push(paths.slice(at, at + slice))
  return parts
}

const statNow = (path: string): Answer => {
  try {
    return fs.statSync(path, { bigint: true })
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

const stat = (path: string): Effect.Effect<Answer> =>
  Effect.async<Answer>((resume) => {
    fs.stat(path, { bigint: true }, (error, stats) => resume(Effect.succeed(error ?? stats)))
  })
