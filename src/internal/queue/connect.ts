import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { QueueError } from "../run/queueError.ts"
import type { Address } from "./address.ts"

const packages = { redis: "npm install bullmq ioredis", postgres: "npm install bullmq pg" } as const

/** Loads a package that is not installed with this one. */
export const loading = <A>(address: Address, importing: () => Promise<A>): Effect.Effect<A, QueueError> =>
  Effect.tryPromise({
    try: importing,
    catch: (cause) =>
      new QueueError({
        queue: address.shown,
        reason: "Package",
        problem: `a queue needs packages that are not installed here; run: ${packages[address.kind]}`,
        cause
      })
  })

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : "")

const denied = /WRONGPASS|NOAUTH|NOPERM|invalid password|invalid username-password/iu

const unreachable = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNRESET"
])

/** The error of a first connection. The cause is left out: it may hold the address with its password. */
export const refusal = (address: Address, cause: unknown): QueueError => {
  const code = codeOf(cause)
  const words = wordsOf(cause)
  const of = (reason: QueueError["reason"], problem: string) =>
    new QueueError({ queue: address.shown, reason, problem })
  if (denied.test(words) || code === "28P01" || code === "28000") {
    return of("Denied", "the server refuses this user or password; check both in the address of the queue")
  }
  if (code === "3D000") return of("Denied", "there is no such database; create it, or name another one")
  if (code === "42501")
    return of("Denied", "this user may not create the queue's tables; let it create a schema in this database")
  if (unreachable.has(code) || words === timedOut || /connection is closed|terminated|ECONNREFUSED/iu.test(words)) {
    return of(
      "Unreachable",
      `the server cannot be reached${code === "" ? "" : ` (${code})`}; check its address, and that it runs`
    )
  }
  return of(
    "Failed",
    `the server cannot be used${code === "" ? "" : ` (${code})`}; check that it is Redis 6.2, PostgreSQL 13 or later`
  )
}

const timedOut = "no answer"

/** Longest wait for the first answer. */
const patience = Duration.seconds(8)

const first = <A>(address: Address, connecting: () => Promise<A>): Effect.Effect<A, QueueError> =>
  Effect.tryPromise({ try: connecting, catch: (cause) => cause }).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: () => new Error(timedOut) }),
    Effect.mapError((cause) => refusal(address, cause))
  )

const redis = (address: Address): Effect.Effect<string | null, QueueError> =>
  Effect.gen(function* () {
    const { Redis } = yield* loading(address, () => import("ioredis"))
    const client = new Redis(Redacted.value(address.url), {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null
    })
    // The first failure has the reason; the promise of the connection only says that it is closed.
    let failure: unknown = null
    client.on("error", (cause: unknown) => {
      failure ??= cause
    })
    const info = () =>
      client.info().catch((cause: unknown) => {
        throw failure ?? cause
      })
    const text = yield* Effect.ensuring(
      first(address, info),
      Effect.sync(() => client.disconnect())
    )
    const member = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, "mu").exec(text)?.[1] ?? ""
    const [major = 0, minor = 0] = member("redis_version").split(".").map(Number)
    if (major < 6 || (major === 6 && minor < 2)) {
      return yield* new QueueError({
        queue: address.shown,
        reason: "Unfit",
        problem: `the server is Redis ${member("redis_version")}; a queue needs 6.2 or later`
      })
    }
    const policy = member("maxmemory_policy")
    return policy === "" || policy === "noeviction"
      ? null
      : `${address.shown} may drop jobs when its memory is full (maxmemory-policy ${policy}); set maxmemory-policy noeviction`
  })

const postgres = (address: Address): Effect.Effect<null, QueueError> =>
  Effect.gen(function* () {
    const pg = yield* loading(address, () => import("pg"))
    const client = new pg.default.Client({ connectionString: Redacted.value(address.url) })
    client.on("error", () => {})
    yield* Effect.ensuring(
      first(address, () => client.connect()),
      Effect.promise(() => client.end().catch(() => {}))
    )
    return null
  })

/** Connects once, for the error of a server that cannot be used. Returns a warning about its settings, or null. */
export const check = (address: Address): Effect.Effect<string | null, QueueError> =>
  address.kind === "redis" ? redis(address) : postgres(address)
