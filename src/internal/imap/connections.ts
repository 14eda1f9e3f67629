/** Connections to a mailbox: opened when they are needed, used again, closed with the scope. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { ImapFlow } from "imapflow"
import type { SourceUnavailable } from "../../Source.ts"
import { isLoopback } from "../base/loopback.ts"
import * as OptionalPackage from "../objects/optionalPackage.ts"
import { unusable } from "./meaning.ts"
import { addressOf, type Place } from "./place.ts"

/** What signs in. */
export type Secret =
  | { readonly _tag: "Password"; readonly value: Redacted.Redacted }
  | { readonly _tag: "AccessToken"; readonly value: Redacted.Redacted }

/** How a mailbox is reached. */
export interface Access {
  readonly place: Place
  /** Asked for each connection. */
  readonly secret: Effect.Effect<Secret, SourceUnavailable>
  /** Milliseconds that a server may be silent. */
  readonly patience: number
}

/** Connections to a mailbox, opened when they are needed and closed with the scope. */
export interface Connections {
  /** What went wrong in words. */
  readonly failed: (cause: unknown) => SourceUnavailable
  /** A connection of one's own for as long as the scope. With a folder, that is selected. */
  readonly borrowed: (folder: string | null) => Effect.Effect<ImapFlow, SourceUnavailable, Scope.Scope>
  /** Runs commands; interrupting them closes the connection. */
  readonly attempt: <A>(client: ImapFlow, run: () => Promise<A>) => Effect.Effect<A, SourceUnavailable>
}

/** Connections at a time; servers allow some ten for each user. */
const most = 4

const connecting = 30_000

/** Attempts after a failure that may pass, on another connection where it broke; none after a silence, which took long enough. */
export const again = <A, R>(effect: Effect.Effect<A, SourceUnavailable, R>): Effect.Effect<A, SourceUnavailable, R> =>
  Effect.retry(effect, {
    schedule: Schedule.jittered(Schedule.exponential("200 millis")),
    times: 3,
    while: ({ reason, transient }) => transient && reason !== "Timeout"
  })

/** Milliseconds in which a server may say goodbye. */
const farewell = 1000

const closed = (client: ImapFlow): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (client.usable) await client.logout().catch(() => {})
  }).pipe(Effect.timeoutOption(farewell), Effect.ensuring(Effect.sync(() => client.close())), Effect.asVoid)

export const make = ({ patience, place, secret }: Access): Effect.Effect<Connections, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const address = addressOf(place)
    const failed = unusable(address, place)
    const { ImapFlow } = yield* OptionalPackage.load(address, "imapflow", () => import("imapflow"))
    const slots = yield* Effect.makeSemaphore(most)
    const idle: Array<ImapFlow> = []
    const opened = new Set<ImapFlow>()
    yield* Effect.addFinalizer(() => Effect.forEach(opened, closed, { concurrency: most, discard: true }))

    const broken = new WeakMap<ImapFlow, Error>()

    // A command on a connection that broke says so only; what broke it came before.
    const attempt: Connections["attempt"] = (client, run) =>
      Effect.tryPromise({ try: run, catch: (cause) => failed(broken.get(client) ?? cause) }).pipe(
        Effect.onInterrupt(() => Effect.sync(() => client.close()))
      )

    const isOwn = isLoopback(place.host)

    const connected = Effect.gen(function* () {
      const { _tag, value } = yield* secret
      const client = new ImapFlow({
        host: place.host,
        port: place.port,
        secure: place.secure,
        // Only to this machine a password goes without encryption.
        ...(!place.secure && !isOwn && { doSTARTTLS: true }),
        ...(!place.secure && isOwn && { tls: { rejectUnauthorized: false } }),
        auth: { user: place.user, [_tag === "Password" ? "pass" : "accessToken"]: Redacted.value(value) },
        clientInfo: { name: "docsluice" },
        logger: false,
        disableAutoIdle: true,
        disableAutoEnable: true,
        connectionTimeout: Math.min(connecting, patience),
        greetingTimeout: Math.min(connecting, patience),
        socketTimeout: patience
      })
      opened.add(client)
      client.on("close", () => opened.delete(client))
      client.on("error", (cause) => broken.set(client, cause))
      yield* Effect.tapError(
        attempt(client, () => client.connect()),
        () => Effect.sync(() => client.close())
      )
      return client
    })

    const free = Effect.suspend(() => {
      for (let client = idle.pop(); client !== undefined; client = idle.pop()) {
        if (client.usable) return Effect.succeed(client)
      }
      return connected
    })

    const prepared = (folder: string | null) =>
      Effect.flatMap(free, (client) =>
        folder === null || (client.mailbox !== false && client.mailbox.path === folder)
          ? Effect.succeed(client)
          : Effect.as(
              attempt(client, () => client.mailboxOpen(folder, { readOnly: true })).pipe(
                Effect.tapError(() => Effect.sync(() => client.close()))
              ),
              client
            )
      )

    return {
      failed,
      attempt,
      borrowed: (folder) =>
        Effect.acquireRelease(slots.take(1), () => slots.release(1)).pipe(
          Effect.zipRight(prepared(folder)),
          Effect.tap((client) => Effect.addFinalizer(() => Effect.sync(() => void idle.push(client))))
        )
    }
  })
