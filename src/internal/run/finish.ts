import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LedgerError } from "../../Ledger.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import type { Holding } from "../state/ledger/entry.ts"
import type { RunContext } from "./context.ts"
import { keyOf, type RunMemory } from "./memory.ts"
import type { SinkWriter } from "./sinkWriter.ts"

/** Number of documents removed at a time; together they make the sinks' batches. */
const together = 64

const up = (writers: ReadonlyArray<SinkWriter>): ReadonlyArray<SinkWriter> =>
  writers.filter((writer) => writer.down() === null)

const idsOf = (writers: ReadonlyArray<SinkWriter>): ReadonlyArray<string> => writers.map(({ sink }) => sink.id)

/**
 * Removes chunks of former generations that a killed run had still to remove or that mode append kept on purpose. Chunks that a
 * sink fails to remove stay for the next run. Returns the number of chunks removed.
 */
export const removeLeftovers = (
  memory: RunMemory,
  writers: ReadonlyArray<SinkWriter>
): Effect.Effect<number, LedgerError> => {
  if (memory.mode === "append") return Effect.succeed(0)
  return memory.ledger.removals(idsOf(up(writers))).pipe(
    Stream.mapEffect(
      (removal) => {
        const writer = writers.find(({ sink }) => sink.id === removal.sink)
        if (writer === undefined) return Effect.succeed(0)
        return writer.remove(removal.chunkIds).pipe(
          Effect.zipRight(memory.ledger.removed(removal)),
          Effect.as(removal.chunkIds.length),
          Effect.catchTag("SinkError", (error) => Effect.as(Effect.logWarning(error.message), 0))
        )
      },
      { concurrency: together, unordered: true }
    ),
    Stream.runSum
  )
}

/**
 * Last step of a run, after every file was examined: limits the scope's claims to the files found and, in mode sync, removes
 * documents that no scope claims. Does nothing when some part of the scope was not examined.
 */
export const close = (context: RunContext): Effect.Effect<void, LedgerError> =>
  Effect.suspend(() => {
    const { memory, session } = context
    if (memory === null || memory.options.partial || session.stopped() !== null) return Effect.void
    const { scan } = memory
    if (memory.incomplete !== null) {
      if (memory.mode === "sync")
        warn(context, `nothing was removed, since not everything could be looked at: ${memory.incomplete}`)
      return Effect.void
    }
    if (memory.found === 0) {
      if (scan.claimed > 0) {
        warn(context, `nothing was found where ${scan.claimed} documents are known; nothing was removed`)
      }
      return Effect.void
    }
    const release = memory.mode === "sync" ? sayKept(scan.release) : Effect.void
    // Steps derived from the claims come before the claims change, so a run after a kill derives them again.
    return Effect.gen(function* () {
      yield* release
      yield* forgetFailed(context, memory)
      const vanished = memory.mode === "sync" ? yield* Stream.runCount(scan.vanished) : 0
      yield* scan.complete(memory.expected.startedAt)
      if (memory.mode === "sync") yield* removeUnclaimed(context, memory, vanished)
    })
  })

/** Maximum number of documents named in a message. */
const named = 5

/** Releases claims, and logs the documents that are kept for a good reason which may surprise. */
const sayKept = (release: Stream.Stream<string, LedgerError>): Effect.Effect<void, LedgerError> =>
  Effect.flatMap(
    Stream.runFold(release, { count: 0, first: "" }, ({ count, first }, path) => ({
      count: count + 1,
      first: count === 0 ? path : count < named ? `${first}, ${path}` : first
    })),
    ({ count, first }) =>
      count === 0
        ? Effect.void
        : Effect.logInfo(
            `gone, but kept, since a run that looked further found them too (sync what that run looked at): ${first}${count > named ? `, … (${count} in all)` : ""}`
          )
  )

const warn = ({ memory, session }: RunContext, message: Message.Message): void => {
  session.warnings.push({ source: memory?.options.scope.root ?? "", ...Message.worded(message) })
}

/** Deletes the recorded failures of files that no longer exist. */
const forgetFailed = ({ deadLetter }: RunContext, memory: RunMemory): Effect.Effect<void, LedgerError> =>
  memory.scan.vanished.pipe(
    Stream.filter(({ failed }) => failed),
    Stream.runForEach(({ path }) =>
      Effect.zipRight(
        memory.ledger.forgive(keyOf(memory, path)),
        dropLetter(deadLetter, memory.options.scope.root, path)
      )
    )
  )

/** Deletes a dead letter. An error is ignored: the ledger is already right, and the next run repairs the letters. */
const dropLetter = (deadLetter: RunContext["deadLetter"], root: string, source: string): Effect.Effect<void> =>
  Effect.catchAll(deadLetter.remove({ root, source }), (error) => Effect.logWarning(error.message))

/** `vanished`: number of documents that the scope claimed and that were not found. */
const removeUnclaimed = (context: RunContext, memory: RunMemory, vanished: number): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const { ledger, options, scan } = memory
    const sinks = idsOf(up(context.writers))
    const gone = ledger.unclaimed(options.scope.root, sinks)
    const count = yield* Stream.runCount(gone)
    const known = scan.claimed + Math.max(0, count - vanished)
    if (options.allowRemovals !== true && known > 10 && count > known / 2) {
      warn(
        context,
        text`${count} of ${known} documents are gone, more than half: nothing was removed; if that is right, allow removals (${option("allowRemovals")})`
      )
      return
    }
    yield* Stream.runDrain(
      Stream.mapEffect(gone, (holding) => removeDocument(context, memory, holding), {
        concurrency: together,
        unordered: true
      })
    )
  })

const removeDocument = (
  { deadLetter, session, writers }: RunContext,
  memory: RunMemory,
  holding: Holding
): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const held = holding.held.filter(({ sink }) => writers.some((writer) => writer.sink.id === sink))
    const removed = yield* Effect.forEach(held, ({ chunkIds, sink }) =>
      Effect.matchEffect(writers.find((writer) => writer.sink.id === sink)?.remove(chunkIds) ?? Effect.void, {
        onSuccess: () => Effect.succeed([sink]),
        onFailure: (error) => {
          if (error._tag === "LedgerError") return Effect.fail(error)
          session.warnings.push({ source: holding.path, message: `it stays until the next run: ${error.message}` })
          return Effect.succeed([])
        }
      })
    )
    const isGone = yield* memory.ledger.forget(holding, removed.flat())
    if (!isGone || removed.flat().length < held.length) return
    session.removed += 1
    session.collected.removed(holding.path)
    session.chunksRemoved += Math.max(0, ...held.map(({ chunkIds }) => chunkIds.length))
    // The row stays while another sink holds the document, but the file is gone: its failure needs no retry.
    yield* memory.ledger.forgive(holding)
    yield* dropLetter(deadLetter, holding.root, holding.path)
  })
