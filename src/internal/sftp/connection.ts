/** One connection to an SSH server: opened when it is first needed, opened again after a break, closed with the scope. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Client, ServerHostKeyAlgorithm, SFTPWrapper } from "ssh2"
import { SourceUnavailable } from "../../Source.ts"
import * as Access from "./access.ts"
import * as HostKey from "./hostKey.ts"
import type { Place } from "./place.ts"

/** Answers to a request that are no failures of the connection. */
export type Refusal = "Gone" | "Denied" | "End"

/** Sends a request; `done` takes its answer. */
type Send<A> = (sftp: SFTPWrapper, done: (error: Error | null | undefined, value: A) => void) => void

/** The session of a connection. */
export interface Session {
  readonly ask: <A>(send: Send<A>) => Effect.Effect<A, Refusal | SourceUnavailable>
  /** Closes a handle; nobody waits for the answer. */
  readonly close: (handle: Buffer) => Effect.Effect<void>
}

export interface Connection {
  /** Runs the effect over the session; after a break with a new one, some times. */
  readonly using: <A>(
    run: (session: Session) => Effect.Effect<A, Refusal | SourceUnavailable>
  ) => Effect.Effect<A, Refusal | SourceUnavailable>
}

/** Longest wait for one answer. */
const stalled = "30 seconds"

/** Longest wait until a connection is ready. */
const slowest = "20 seconds"

/** Milliseconds between signs of life, and how many may go unanswered. */
const alive = { keepaliveInterval: 15_000, keepaliveCountMax: 3 } as const

/** Attempts after one over a connection that breaks: after 0.2, 0.4, 0.8 seconds, with chance. */
const again = Schedule.intersect(Schedule.jittered(Schedule.exponential("200 millis")), Schedule.recurs(3))

interface Open extends Session {
  isOpen: boolean
}

/** Algorithms that sign with keys of a type. */
const algorithms: Readonly<Record<string, ReadonlyArray<ServerHostKeyAlgorithm>>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"]
}

const property = (error: unknown, name: "code" | "level"): unknown =>
  typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined

/** Statuses of the protocol. */
const refusals: Readonly<Record<number, Refusal>> = { 1: "End", 2: "Gone", 3: "Denied" }

/** Words for a key that is not trusted. */
const untrusted = (trust: HostKey.Trust, host: string, key: Buffer): string => {
  const shown = `${HostKey.typeOf(key)} ${HostKey.fingerprintOf(key)}`
  switch (trust) {
    case "changed":
      return `its key is not the one that is known of it, but ${shown}: somebody may stand in between; ask who runs the server, and only if it was changed there take the old one out (ssh-keygen -R ${host})`
    case "revoked":
      return `its key ${shown} is revoked in the list of known hosts; ask who runs the server`
    default:
      return `its key is not known here: ${shown}; compare that with what its server's owner says, then connect once with ssh, or name it (hostKey), or a list with it (SFTP_KNOWN_HOSTS)`
  }
}

const late = "it did not answer in time; run again later"

const unreachable = "it cannot be reached; check the address and the network"

const signIn =
  "its server refuses the user or the key; give a key in SFTP_KEY_FILE, or SFTP_PASSWORD, or load a key into the agent (ssh-add)"

/** Makes connections to a place; reads what it needs to know of it once. */
export const make = (
  place: Place,
  access: Access.Access,
  ssh: { readonly Client: new () => Client }
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.gen(function* () {
    const failed = (reason: SourceUnavailable["reason"], problem: string, cause?: unknown) =>
      new SourceUnavailable({ source: place.address, reason, problem, cause })

    const meaning = (error: unknown): SourceUnavailable => {
      const words = error instanceof Error ? error.message : String(error)
      switch (property(error, "level")) {
        case "client-authentication":
          return failed("Denied", signIn)
        case "client-timeout":
          return failed("Timeout", late)
        case "client-socket":
        case "client-dns":
          return failed("Unreachable", unreachable, error)
        default:
          if (/authentication failures/iu.test(words)) return failed("Denied", signIn)
          return /no matching|unsupported/iu.test(words)
            ? failed("Invalid", `its server and this program have no method in common: ${words}`)
            : failed("Unreachable", `the connection broke (${words}); run again later`, error)
      }
    }

    /** `broken` is told of a break. */
    const asked =
      (sftp: SFTPWrapper, broken: () => void): Session["ask"] =>
      <A>(send: Send<A>) => {
        const lost = (cause: unknown): SourceUnavailable => {
          broken()
          return failed("Unreachable", "the connection broke; run again later", cause)
        }
        const problemOf = (error: Error): Refusal | SourceUnavailable => {
          const code = property(error, "code")
          if (typeof code !== "number" || code === 6 || code === 7) return lost(error)
          return refusals[code] ?? failed("Failed", `its server failed (${error.message}); run again later`, error)
        }
        return Effect.async<A, Refusal | SourceUnavailable>((resume) => {
          try {
            send(sftp, (error, value) => {
              resume(error === null || error === undefined ? Effect.succeed(value) : Effect.fail(problemOf(error)))
            })
          } catch (cause) {
            resume(Effect.fail(lost(cause)))
          }
        }).pipe(
          Effect.timeoutFail({
            duration: stalled,
            onTimeout: () => {
              broken()
              return failed("Timeout", late)
            }
          })
        )
      }

    /** The one that was made last: those before are closed. */
    let latest: Client | undefined
    const connect: Effect.Effect<Open, SourceUnavailable> = Effect.async<Open, SourceUnavailable>((resume) => {
      const client = new ssh.Client()
      latest = client
      let opened: Open | undefined
      let distrust: SourceUnavailable | undefined
      const username = Access.userOf(place)
      const types = access.known.flatMap(({ revoked, type = "" }) => (revoked ? [] : (algorithms[type] ?? [])))
      client.on("ready", () => {
        // Requests are small, and each waits for its answer.
        client.setNoDelay(true)
        client.sftp((error, sftp) => {
          if (error !== undefined) {
            client.destroy()
            const words = "its server lets this user sign in, and gives no files (no subsystem sftp); ask who runs it"
            return resume(Effect.fail(failed("Denied", words, error)))
          }
          const made: Open = {
            isOpen: true,
            ask: asked(sftp, () => {
              made.isOpen = false
            }),
            close: (handle) => Effect.ignore(Effect.try(() => sftp.close(handle, () => {})))
          }
          opened = made
          return resume(Effect.succeed(made))
        })
      })
      client.on("error", (error) => {
        // The agent is one way to sign in of several.
        if (property(error, "level") === "agent") return
        if (opened !== undefined) opened.isOpen = false
        client.destroy()
        resume(Effect.fail(distrust ?? meaning(error)))
      })
      client.on("close", () => {
        if (opened !== undefined) opened.isOpen = false
        resume(Effect.fail(distrust ?? failed("Unreachable", "its server closed the connection; run again later")))
      })
      try {
        client.connect({
          host: place.host,
          port: place.port,
          username,
          readyTimeout: 0,
          ...alive,
          ...(types.length > 0 && { algorithms: { serverHostKey: { prepend: types, append: [], remove: [] } } }),
          hostVerifier: (key: Buffer) => {
            const trust = HostKey.trustIn(access.known, key)
            if (trust !== "known") distrust = failed("Denied", untrusted(trust, HostKey.hostOf(place), key))
            return trust === "known"
          },
          authHandler: access.methods
        })
      } catch (cause) {
        resume(
          Effect.fail(
            failed("Invalid", `it cannot be connected to: ${cause instanceof Error ? cause.message : String(cause)}`)
          )
        )
      }
      return Effect.sync(() => client.destroy())
    }).pipe(Effect.timeoutFail({ duration: slowest, onTimeout: () => failed("Timeout", late) }))

    const turn = yield* Effect.makeSemaphore(1)
    let current: Open | undefined
    /** Until then nobody asks a server again that was silent: each document would wait for it. */
    let silent = 0
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        latest?.end()
        latest?.destroy()
      })
    )
    const quiet = Effect.suspend(() => failed("Timeout", late))
    const connected = connect.pipe(
      Effect.tap((opened) => {
        current = opened
      }),
      Effect.tapError(({ reason }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (reason === "Timeout") silent = now + Duration.toMillis(stalled)
        })
      )
    )
    const session = turn.withPermits(1)(
      Effect.suspend(() => {
        if (current?.isOpen === true) return Effect.succeed(current)
        latest?.destroy()
        return Effect.flatMap(Clock.currentTimeMillis, (now) => (now < silent ? quiet : connected))
      })
    )
    return {
      using: (run) =>
        Effect.retry(Effect.flatMap(session, run), {
          schedule: again,
          // None after a silence, which took long enough.
          while: (error) => typeof error !== "string" && error.transient && error.reason !== "Timeout"
        })
    }
  })
