/** Programs that send many small files to a service with limits: docsluice with its gate and without, and loops over other libraries. */
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { AsyncCaller } from "@langchain/core/utils/async_caller"
import * as Discovery from "docsluice/Discovery"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { call, load } from "./peerPackage.ts"

export interface Work {
  readonly base: string
  readonly paths: ReadonlyArray<string>
  /** Key of the service; default: none. */
  readonly key?: string | undefined
  /** Most files at a time. */
  readonly concurrency: number
  /** No file is begun after this time, on the clock of `performance.now`. */
  readonly until: number
}

/** Sends every file; returns the number of those that were given up. */
export type Contender = (work: Work) => Promise<number>

const begun = (work: Work): boolean => performance.now() < work.until

const docsluice =
  (gate: Layer.Layer<RequestGate.RequestGate>): Contender =>
  (work) =>
    Effect.gen(function* () {
      const client = yield* Client.Client
      let failed = 0
      const upload = Effect.fnUntraced(function* (path: string) {
        if (!begun(work)) return
        const answer = yield* Effect.either(client.parse(yield* Discovery.file(path), {}))
        if (Either.isLeft(answer)) failed += 1
      })
      yield* Effect.forEach(work.paths, upload, { concurrency: work.concurrency, discard: true })
      return failed
    }).pipe(
      Effect.provide(
        Client.layer({
          baseUrl: work.base,
          apiKey: work.key === undefined ? undefined : Redacted.make(work.key)
        }).pipe(Layer.provide([gate, UndiciHttpClient.layer()]))
      ),
      Effect.runPromise
    )

/** Lets every request pass at once: only the number of files at a time bounds them. */
const open: RequestGate.RequestGate.Service = {
  use: (request) => request,
  snapshot: () => ({
    limit: 0,
    inFlight: 0,
    waiting: 0,
    ratePerSecond: null,
    breaker: "closed",
    closedUntil: null,
    servedAt: null
  }),
  downtime: () => 0,
  within: () => Effect.void,
  of: () => Effect.succeed(open)
}

/** An answer that is no success, in the form that client libraries reject with. */
class Refused extends Error {
  readonly status: number
  readonly headers: Headers

  constructor({ headers, status }: Response) {
    super(`status ${status}`)
    this.status = status
    this.headers = headers
  }
}

const upload = async (base: string, path: string): Promise<void> => {
  const form = new FormData()
  form.append("file", new Blob([await readFile(path)]), basename(path))
  const response = await fetch(`${base}/parse`, { method: "POST", body: form })
  await response.text()
  if (!response.ok) throw new Refused(response)
}

const all = async (work: Work, one: (path: string) => Promise<unknown>): Promise<number> => {
  const results = await Promise.allSettled(work.paths.map(one))
  return results.filter(({ status }) => status === "rejected").length
}

const asyncCaller: Contender = (work) => {
  const caller = new AsyncCaller({ maxConcurrency: work.concurrency })
  return all(work, (path) => caller.call(async () => (begun(work) ? upload(work.base, path) : undefined)))
}

const limitAndRetry = async (): Promise<Contender | null> => {
  const limits = await load("p-limit")
  const retries = await load("p-retry")
  if (limits === undefined || retries === undefined) return null
  return (work) => {
    const limit: unknown = call(limits, "default", work.concurrency)
    if (typeof limit !== "function") throw new Error("p-limit has no default export")
    return all(work, (path) =>
      Promise.resolve(
        Reflect.apply(limit, undefined, [
          () => call(retries, "default", async () => (begun(work) ? upload(work.base, path) : undefined))
        ])
      )
    )
  }
}

/** The peers that are installed; `gated` is ours. */
export const contenders = async (): Promise<Readonly<Record<string, Contender>>> => {
  const limited = await limitAndRetry()
  return {
    gated: docsluice(RequestGate.layer()),
    ungated: docsluice(Layer.succeed(RequestGate.RequestGate, open)),
    "@langchain/core AsyncCaller": asyncCaller,
    ...(limited === null ? {} : { "p-limit and p-retry": limited })
  }
}
