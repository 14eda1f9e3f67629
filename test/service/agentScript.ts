import { HttpClient, HttpClientResponse } from "@effect/platform"
import type { AgentEvent } from "docsluice/service/Agent"
import * as AgentClient from "docsluice/service/AgentClient"
import { Clock, type Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { jobId } from "./agentDouble.ts"
import { apart, impatient } from "./collaborators.ts"

export type Answer = readonly [status: number, body: unknown]

export interface Sent {
  readonly at: number
  readonly row: string
}

/**
 * The client over a transport that answers by rows: method, and path after the job's id. The last answer of a row is given for ever;
 * `delay`: the time before each answer.
 */
export const scripted = (
  rows: Readonly<Record<string, ReadonlyArray<Answer>>>,
  sent: Array<Sent> = [],
  delay: Duration.DurationInput = 0
) => {
  const http = HttpClient.make((request, url) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const row = `${request.method} ${url.pathname.replace("/v2/agent", "").replace(`/${jobId}`, "")}`
      const count = sent.filter((one) => one.row === row).length
      sent.push({ at, row })
      const answers = rows[row] ?? []
      const [status, body] = answers[Math.min(count, answers.length - 1)] ?? [404, { error: "Not Found" }]
      return HttpClientResponse.fromWeb(request, Response.json(body, { status }))
    }).pipe(Effect.tap(() => Effect.sleep(delay)))
  )
  return AgentClient.layer({ baseUrl: "http://localhost:1", retry: impatient }).pipe(
    Layer.provide([apart({ concurrency: 4 }), Layer.succeed(HttpClient.HttpClient, http)]),
    Layer.orDie
  )
}

export const submitted: Answer = [200, { success: true, id: jobId }]
export const processing: Answer = [200, { status: "processing" }]
export const completed: Answer = [200, { status: "completed", data: 42, creditsUsed: 9 }]
export const failed: Answer = [200, { success: false, status: "failed", error: "The run failed.", creditsUsed: 0 }]
export const cancelled: Answer = [200, { success: true }]

export const request = { prompt: "x" }

/** An event of an agent. */
export const event = (sequence: number, type = "progress.reported", id = "a") => ({
  eventId: `${id}${sequence}`,
  producerSequence: sequence,
  agent: { id },
  type
})

export const finished = (sequence: number, more: object = { outcome: "succeeded" }) => ({
  ...event(sequence, "run.finished"),
  ...more
})

export const trace = (...events: ReadonlyArray<unknown>): Answer => [200, { events, creditsUsed: 31 }]

export const named = (events: Iterable<AgentEvent>): ReadonlyArray<string> =>
  Array.from(events, ({ eventId, rawType }) => eventId ?? rawType)

/** Runs to the end while an hour passes. */
export const hour = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })
