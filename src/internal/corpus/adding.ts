import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Outcome, RunError } from "../../Outcome.ts"
import type { OpenError } from "../../Pipeline.ts"
import { type SourceFile, UnsupportedFile } from "../../SourceFile.ts"
import { faultOf } from "../client/fileValues.ts"
import { RunStopped } from "../client/runState.ts"
import { TakenOver } from "../run/documentError.ts"
import { type Added, AddError } from "./contract.ts"
import type { Writes } from "./writes.ts"

type Failure = AddError | OpenError | RunStopped

interface Ticket {
  readonly file: SourceFile
  readonly done: Deferred.Deferred<Added, Failure>
}

/**
 * One run over documents that arrive while it goes on. It takes no path twice, since a run knows a document as it was before the run, and
 * none once another call waits to write.
 */
interface Session {
  /** None: no more files. */
  readonly files: Queue.Queue<Option.Option<SourceFile>>
  readonly open: Map<string, Ticket>
  /** Documents that were not attempted: the end of the run tells why. */
  readonly left: Array<Ticket>
  readonly seen: Set<string>
  readonly cancelled: Deferred.Deferred<void>
  closing: boolean
}

export interface Options {
  /** Runs over the files and reports each outcome. */
  readonly run: (
    files: Stream.Stream<SourceFile>,
    report: (outcome: Outcome) => Effect.Effect<void>
  ) => Effect.Effect<void, RunError>
  readonly writes: Writes
}

/** Registered now: the work ends only after the calls that wait for it. */
const within = Effect.flatMap(Effect.scope, (scope) => Scope.fork(scope, ExecutionStrategy.sequential))

/** Adds documents one by one: those that come together share a run. */
export const make = ({
  run,
  writes
}: Options): Effect.Effect<(file: SourceFile) => Effect.Effect<Added, Failure>, never, Scope.Scope> =>
  Effect.map(within, (scope) => {
    let session: Session | null = null
    let working = false
    let pending: Array<Ticket> = []

    const put = (into: Session, ticket: Ticket): void => {
      into.seen.add(ticket.file.path)
      into.open.set(ticket.file.path, ticket)
      Queue.unsafeOffer(into.files, Option.some(ticket.file))
    }

    const endIfDone = (ending: Session): void => {
      if (ending.open.size > 0) return
      ending.closing = true
      Queue.unsafeOffer(ending.files, Option.none())
    }

    const report = (of: Session) => (outcome: Outcome) =>
      Effect.suspend(() => {
        const ticket = of.open.get(outcome.source)
        if (ticket === undefined) return Effect.void
        of.open.delete(outcome.source)
        if (outcome._tag === "NotAttempted") {
          of.left.push(ticket)
          of.closing = true
        }
        endIfDone(of)
        return outcome._tag === "NotAttempted"
          ? Effect.void
          : Effect.asVoid(Deferred.complete(ticket.done, resultOf(outcome)))
      })

    const next = Effect.gen(function* () {
      const made: Session = {
        files: yield* Queue.unbounded<Option.Option<SourceFile>>(),
        open: new Map(),
        left: [],
        seen: new Set(),
        cancelled: yield* Deferred.make<void>(),
        closing: false
      }
      const waiting = pending
      pending = []
      for (const ticket of waiting) {
        if (made.seen.has(ticket.file.path)) pending.push(ticket)
        else put(made, ticket)
      }
      if (made.open.size === 0) return
      made.closing = pending.length > 0 || writes.awaited()
      session = made
      const files = Stream.fromQueue(made.files).pipe(
        Stream.takeWhile(Option.isSome),
        Stream.map(({ value }) => value)
      )
      const exit = yield* Effect.exit(
        Effect.raceFirst(Effect.mapError(run(files, report(made)), endedBy), Deferred.await(made.cancelled))
      )
      session = null
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.die("the run ended without this document")
      for (const { done } of made.open.values()) yield* Deferred.failCause(done, cause)
      for (const { done, file } of made.left) {
        yield* Deferred.failCause(done, Exit.isFailure(exit) ? exit.cause : Cause.fail(takenOver(file)))
      }
    })

    /** In one step, so that no document arrives between the look and the end. */
    const worksOn = (): boolean => {
      working = pending.length > 0
      return working
    }
    const work = Effect.iterate(undefined, { while: worksOn, body: () => writes.exclusive(next) })

    const submit = (ticket: Ticket) =>
      Effect.suspend(() => {
        const { path } = ticket.file
        if (session !== null && (writes.awaited() || session.seen.has(path))) session.closing = true
        if (session !== null && !session.closing) {
          put(session, ticket)
          return Effect.void
        }
        pending.push(ticket)
        if (working) return Effect.void
        working = true
        return Effect.asVoid(Effect.forkIn(work, scope))
      })

    const cancel = (ticket: Ticket) =>
      Effect.sync(() => {
        pending = pending.filter((one) => one !== ticket)
        if (session === null || session.open.get(ticket.file.path) !== ticket || session.open.size > 1) return
        session.closing = true
        Deferred.unsafeDone(session.cancelled, Effect.void)
      })

    return (file) => {
      const fault = faultOf(file)
      // In a run its outcome may have another name than its ticket.
      if (fault !== null) {
        return addError({ source: fault.path, error: fault, retryable: false })
      }
      return Effect.flatMap(Deferred.make<Added, Failure>(), (done) => {
        const ticket = { file, done }
        return Effect.onInterrupt(Effect.zipRight(submit(ticket), Deferred.await(done)), () => cancel(ticket))
      })
    }
  })

/** The end of a run as one of its documents meets it: another document may have stopped the run. */
const endedBy = (error: RunError): OpenError | RunStopped => {
  switch (error._tag) {
    case "SinkError":
    case "LedgerError":
    case "EmbeddingError":
    case "InvalidOptions":
      return error
    default:
      return new RunStopped({ cause: error })
  }
}

const addError = ({ error, retryable, source }: Pick<AddError, "error" | "retryable" | "source">): AddError =>
  new AddError({ source, error, retryable })

/** A document that was not attempted in a run that nothing stopped. */
const takenOver = ({ path }: SourceFile): AddError =>
  addError({ source: path, error: new TakenOver({ path }), retryable: true })

const resultOf = (outcome: Exclude<Outcome, { _tag: "NotAttempted" }>): Effect.Effect<Added, AddError> => {
  switch (outcome._tag) {
    case "Stored":
    case "Unchanged":
      return Effect.succeed(outcome)
    case "Unsupported": {
      const { extension, source } = outcome
      return addError({ source, error: new UnsupportedFile({ path: source, extension }), retryable: false })
    }
    default:
      return addError(outcome)
  }
}
