import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { RetryPolicy } from "../../RetryPolicy.ts"
import { InternalServerError, type ServiceError, type UnexpectedResponse } from "../../service/ServiceError.ts"
import * as Attempts from "../gate/attempts.ts"
import { type CataloguedAgentError, catalogue, type RequestError } from "./agentError.ts"
import * as agentRequest from "./agentRequest.ts"
import { reporting } from "./reporting.ts"
import { ServiceRules } from "./serviceRules.ts"
import { unbroken } from "./unbroken.ts"

export interface Settings extends agentRequest.Settings {
  readonly policy: RetryPolicy
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

/** A row of the agent table shows a service at work. */
const rulesOf = <A>(settings: Settings, { mayRepeat }: Operation<A>): Attempts.Rules<RequestError> => {
  const rules = new ServiceRules(settings)
  return {
    begin: (now) => rules.begin(now),
    judge: (error, now, random) => {
      const known = ruled(error)
      if (known === null) return { state: "answered", wait: null }
      const { closes, retryAfter, state, wait } = rules.judge(known, now, random)
      return { state: isRow(error) ? "answered" : state, wait: mayRepeat(error) ? wait : null, closes, retryAfter }
    }
  }
}

/** Sends once; not interrupted meanwhile where the operation wants that. */
const sent = <A>(settings: Settings, operation: Operation<A>): Effect.Effect<Either.Either<A, RequestError>> => {
  const end = Effect.either(Effect.flatMap(agentRequest.send(settings, operation.call), operation.read)).pipe(
    Effect.tap((end) => Effect.sync(() => operation.onEnd?.(end)))
  )
  return operation.unbroken === true ? unbroken(end) : end
}

/** Tries until there is a result or the policy gives up. */
export const repeated = <A>(settings: Settings, operation: Operation<A>): Effect.Effect<A, RequestError> =>
  Effect.suspend(() =>
    Attempts.repeated(settings.gate, {
      rules: rulesOf(settings, operation),
      send: sent(settings, operation),
      problemOf: ({ message }) => message,
      bytes: operation.call.body?.length ?? 0,
      onAttempt: reporting(settings, operation.name)
    })
  )
