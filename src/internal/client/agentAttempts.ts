import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type { Observation, RequestGate } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { type CataloguedAgentError, catalogue, type RequestError } from "../../service/AgentError.ts"
import { InternalServerError, type ServiceError, type UnexpectedResponse } from "../../service/ServiceError.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import { attempted } from "../telemetry/attempt.ts"
import * as agentRequest from "./agentRequest.ts"
import { OwnFailures } from "./ownFailures.ts"
import { stateOf } from "./serviceState.ts"
import { unbroken } from "./unbroken.ts"

export interface Settings extends agentRequest.Settings {
  readonly policy: RetryPolicy.RetryPolicy
}

/** An operation, tried until it has a result. */
export interface Operation<A> {
  readonly call: agentRequest.Call
  /** Name of the operation in logs. */
  readonly name: string
  /** Reads a success; a left is an answer that cannot be used. */
  readonly read: (answer: agentRequest.Answered) => Either.Either<A, UnexpectedResponse>
  /** True when the request may be sent again after this failure. */
  readonly mayRepeat: (error: RequestError) => boolean
  /** Called with the end of each attempt that is not interrupted. */
  readonly onEnd?: ((end: Either.Either<A, RequestError>) => void) | undefined
  /** True: an attempt that was sent is not interrupted; it ends by its own time limit, and the interruption follows. Default false. */
  readonly unbroken?: boolean | undefined
}

const isRow = (error: RequestError): error is CataloguedAgentError => Object.hasOwn(catalogue, error._tag)

/** The failure as the table of rules knows it; null for a row of the agent table that is never tried again. */
const ruled = (error: RequestError): ServiceError | null => {
  if (!isRow(error)) return error
  const { code, details, error: text, status } = error
  return error._tag === "AgentPassthroughFailed"
    ? new InternalServerError({ status, error: text, ...(code !== undefined && { code }), details })
    : null
}

type Step<A> =
  | { readonly _tag: "Answered"; readonly value: A }
  | { readonly _tag: "GiveUp"; readonly error: RequestError; readonly own: boolean }
  | {
      readonly _tag: "Wait"
      readonly error: RequestError
      readonly own: boolean
      /** The earliest time for the next request, in milliseconds since the epoch. */
      readonly until: number
      /** Milliseconds for which the gate closes; null when the wait is the operation's own. */
      readonly closeFor: number | null
      readonly spent: RetryPolicy.Spent
    }

const observe = <A>(exit: Exit.Exit<Step<A>, unknown>): Observation => {
  if (exit._tag === "Failure") return "unsent"
  const step = exit.value
  // A row of the agent table shows a service at work.
  if (step._tag === "Answered" || isRow(step.error)) return "answered"
  if (step.own) return "unsent"
  const closeFor = step._tag === "Wait" && step.closeFor !== null ? step.closeFor : undefined
  return { state: stateOf(step.error), closeFor, problem: step.error.message }
}

/** A clock that stands still while the service as a whole is not asked; in milliseconds. */
const served = (gate: RequestGate.Service, now: number): number => now - gate.downtime(now)

/** Sends once and decides the next step. */
const attempt = Effect.fnUntraced(function* <A>(
  settings: Settings,
  operation: Operation<A>,
  failures: OwnFailures,
  { spent, started }: { readonly spent: RetryPolicy.Spent; readonly started: number }
): Effect.fn.Return<Step<A>> {
  const sent = Effect.either(Effect.flatMap(agentRequest.send(settings, operation.call), operation.read)).pipe(
    Effect.tap((end) => Effect.sync(() => operation.onEnd?.(end)))
  )
  const end = yield* operation.unbroken === true ? unbroken(sent) : sent
  if (Either.isRight(end)) return { _tag: "Answered", value: end.right } as const
  const error = end.left
  const now = yield* Clock.currentTimeMillis
  const known = ruled(error)
  const own = known !== null && failures.add(known, now)
  if (known === null || !operation.mayRepeat(error)) return { _tag: "GiveUp", error, own } as const
  const decision = RetryPolicy.decide(settings.policy, spent, {
    error: known,
    elapsed: served(settings.gate, now) - started,
    free: !own && settings.gate.snapshot().breaker !== "closed",
    json: false,
    reusedConnection: false,
    random: yield* Random.next
  })
  if (decision._tag === "GiveUp") return { _tag: "GiveUp", error, own } as const
  const closeFor = decision.closes ? decision.millis : null
  return { _tag: "Wait", error, own, until: now + decision.millis, closeFor, spent: decision.spent } as const
})

/** Tries until there is a result or the policy gives up. Holds a slot of the gate only while a request runs. */
export const repeated = Effect.fnUntraced(function* <A>(
  settings: Settings,
  operation: Operation<A>
): Effect.fn.Return<A, RequestError> {
  const { address, gate } = settings
  const failures = new OwnFailures(gate)
  let started: number | undefined
  let spent = RetryPolicy.nothingSpent
  for (let number = 1; ; number++) {
    const once = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      started ??= served(gate, now)
      return attempt(settings, operation, failures, { spent, started })
    })
    const step: Step<A> = yield* gate.use(once, observe, {
      again: number > 1,
      bytes: operation.call.body?.length ?? 0
    })
    yield* attempted({
      path: operation.name,
      number,
      error: step._tag === "Answered" ? null : step.error,
      until: step._tag === "Wait" ? step.until : null,
      gate: { service: address.url, snapshot: gate.snapshot }
    })
    if (step._tag === "Answered") return step.value
    if (step._tag === "GiveUp") return yield* step.error
    // A closed gate makes everybody wait, this operation too.
    if (step.closeFor === null) yield* sleepUntil(step.until)
    spent = step.spent
  }
})
