/** Access tokens for a run: given ones, those for a refresh token, or those of a file that all processes of a user share. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as FileLock from "../../FileLock.ts"
import { SourceUnavailable } from "../../Source.ts"
import { environment, inHome } from "../objects/environment.ts"
import * as OAuth from "./oauth.ts"
import * as PrivateFile from "./privateFile.ts"
import { type OnAddress, type OnCode, Prompt } from "./prompt.ts"
import type { Provider } from "./service.ts"

/** How a user is let in; the first that is there of `accessToken`, `refreshToken` and the file of those who signed in. */
export interface Access {
  /** A token with the right to read; an effect is run again when what it gave has expired. */
  readonly accessToken?: Redacted.Redacted | Effect.Effect<Redacted.Redacted, SourceUnavailable> | undefined
  /** Default `MICROSOFT_REFRESH_TOKEN` or `GOOGLE_REFRESH_TOKEN`. */
  readonly refreshToken?: Redacted.Redacted | undefined
  /** Id of the registered application; default `MICROSOFT_CLIENT_ID` or `GOOGLE_CLIENT_ID`. */
  readonly clientId?: string | undefined
  /** Secret of an application that has one; default `MICROSOFT_CLIENT_SECRET` or `GOOGLE_CLIENT_SECRET`. */
  readonly clientSecret?: Redacted.Redacted | undefined
  /** File of those who signed in; default `docsluice/tokens.json` in `XDG_CONFIG_HOME` or `~/.config`. */
  readonly tokens?: string | undefined
}

export interface Tokens {
  readonly current: Effect.Effect<string, SourceUnavailable>
  /** A token in place of one that was refused; null where there is no other. */
  readonly after: (refused: string) => Effect.Effect<string | null, SourceUnavailable>
}

const Kept = Schema.Struct({
  refreshToken: Schema.String,
  accessToken: Schema.String,
  /** Milliseconds since the epoch. */
  expires: Schema.Number
})

type Kept = typeof Kept.Type

const KeptFile = Schema.parseJson(Schema.Record({ key: Schema.String, value: Kept }))

const unusable = (source: string, problem: string, cause?: unknown): SourceUnavailable =>
  new SourceUnavailable({ source, reason: "Failed", problem, cause })

/** Time between two looks whether another process has its tokens. */
const wait = "200 millis"

/** The file with what one application was granted. */
const storeOf = ({ title }: Provider, client: OAuth.Client, given: string | undefined) => {
  const file = given ?? inHome("XDG_CONFIG_HOME", ".config", "tokens.json")
  const key = `${title} ${client.id}`
  const unreadable = (cause: unknown) =>
    unusable(title, `${file} cannot be read; give this user the right to it`, cause)
  const unwritable = (cause: unknown) =>
    unusable(title, `${file} cannot be written; give this user the right to it, or name another file`, cause)

  /** What all applications were granted; nothing of a file that is damaged. */
  const all = Effect.map(
    Effect.tryPromise({ try: () => PrivateFile.read(file), catch: unreadable }),
    (text): Readonly<Record<string, Kept>> => Option.getOrElse(Schema.decodeUnknownOption(KeptFile)(text), () => ({}))
  )
  const load = Effect.map(all, (found): Kept | undefined => found[key])

  const save = (kept: Kept): Effect.Effect<void, SourceUnavailable> =>
    Effect.gen(function* () {
      const text = yield* Effect.orDie(Schema.encode(KeptFile)({ ...(yield* all), [key]: kept }))
      yield* Effect.tryPromise({ try: () => PrivateFile.write(file, text), catch: unwritable })
    })

  /** Alone among all processes. */
  const locked = <A, R>(effect: Effect.Effect<A, SourceUnavailable, R>): Effect.Effect<A, SourceUnavailable, R> =>
    Effect.scoped(
      Effect.zipRight(
        Effect.mapError(
          Effect.zipRight(
            Effect.tryPromise(() => PrivateFile.makeRoom(file)),
            Effect.retry(FileLock.acquire(`${file}.lock`), {
              schedule: Schedule.spaced(wait),
              while: ({ reason }) => reason === "Locked"
            })
          ),
          unwritable
        ),
        effect
      )
    )

  return { load, save, locked }
}

/** Time before its end at which a token is renewed, in milliseconds. */
const margin = 60_000

const keptOf = (grant: OAuth.Grant, before: string): Kept => ({
  accessToken: grant.accessToken,
  expires: grant.expires,
  refreshToken: grant.refreshToken ?? before
})

/** Lets a user sign in by a code or by a browser of this machine, and keeps the tokens. */
export const signIn = (
  provider: Provider,
  access: Access,
  show: { readonly onCode: OnCode } | { readonly onAddress: OnAddress }
): Effect.Effect<void, SourceUnavailable, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* OAuth.clientOf(provider, access)
    const store = storeOf(provider, client, access.tokens)
    const grant = yield* "onAddress" in show
      ? OAuth.signedInHere(provider, client, show.onAddress)
      : OAuth.signedIn(provider, client, show.onCode)
    if (grant.refreshToken === undefined) {
      return yield* unusable(provider.title, "the sign-in gave no refresh token; ask for the right to stay signed in")
    }
    yield* store.locked(store.save(keptOf(grant, grant.refreshToken)))
    return undefined
  })

/** What keeps a grant between two requests, for the whole of a renewal alone. */
interface Store {
  readonly load: Effect.Effect<Kept | undefined, SourceUnavailable>
  readonly save: (kept: Kept) => Effect.Effect<void, SourceUnavailable>
  readonly locked: <A, R>(effect: Effect.Effect<A, SourceUnavailable, R>) => Effect.Effect<A, SourceUnavailable, R>
}

/** Keeps a grant in memory: the given refresh token until the service gives another. */
const inMemory = (refreshToken: string): Store => {
  let kept: Kept = { refreshToken, accessToken: "", expires: 0 }
  return {
    load: Effect.sync(() => kept),
    save: (next) =>
      Effect.sync(() => {
        kept = next
      }),
    locked: (effect) => effect
  }
}

const ofRefresh = (provider: Provider, access: Access): Effect.Effect<Tokens, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<HttpClient.HttpClient>()
    const semaphore = yield* Effect.makeSemaphore(1)
    const { refreshToken: variable } = provider.variables
    const given = access.refreshToken ?? Redacted.make(environment()[variable] ?? "")
    const memory = Redacted.value(given) === "" ? null : inMemory(Redacted.value(given))
    let last: Kept | undefined

    const isValid = ({ accessToken, expires }: Kept, now: number, refused: string | null): boolean =>
      accessToken !== "" && accessToken !== refused && expires - margin > now

    /** What is kept where that is valid or there is nothing, else null. */
    const loaded = (store: Store, refused: string | null) =>
      Effect.zipWith(store.load, Clock.currentTimeMillis, (kept, now) =>
        kept === undefined || isValid(kept, now, refused) ? { kept } : null
      )

    const renewed = (store: Store, client: OAuth.Client, refused: string | null) =>
      Effect.gen(function* () {
        const before = yield* loaded(store, refused)
        if (before !== null) return before.kept
        return yield* store.locked(
          Effect.gen(function* () {
            // Another process may have renewed it meanwhile.
            const present = yield* loaded(store, refused)
            if (present !== null) return present.kept
            const refreshToken = (yield* store.load)?.refreshToken ?? ""
            const next = keptOf(yield* OAuth.refreshed(provider, client, refreshToken), refreshToken)
            yield* store.save(next)
            return next
          })
        )
      })

    /** A user who sees it signs in again where the sign-in has ended. */
    const orSignedIn = (store: Store, client: OAuth.Client, refused: string | null) =>
      Effect.gen(function* () {
        const prompt = memory === null ? yield* Prompt : null
        const found = renewed(store, client, refused)
        if (prompt === null) return yield* found
        const kept = yield* Effect.catchIf(
          found,
          ({ reason }) => reason === "Denied",
          () => Effect.succeed(undefined)
        )
        if (kept !== undefined) return kept
        yield* signIn(provider, access, provider.browser === undefined ? { onCode: prompt.onCode } : prompt)
        return yield* renewed(store, client, refused)
      })

    const obtained = (refused: string | null): Effect.Effect<string, SourceUnavailable> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (last !== undefined && isValid(last, now, refused)) return last.accessToken
        const client = yield* OAuth.clientOf(provider, access)
        const store = memory ?? storeOf(provider, client, access.tokens)
        last = yield* orSignedIn(store, client, refused)
        if (last !== undefined) return last.accessToken
        const problem = `nobody has signed in; do that on a terminal or in a program, or set ${variable}`
        return yield* new SourceUnavailable({ source: provider.title, reason: "Denied", problem })
      }).pipe(semaphore.withPermits(1), Effect.provide(context))

    return { current: obtained(null), after: obtained }
  })

/** Tokens of a run, by the first that is there: a given token, a refresh token, the file. */
export const make = (provider: Provider, access: Access): Effect.Effect<Tokens, never, HttpClient.HttpClient> => {
  const { accessToken } = access
  if (accessToken === undefined) return ofRefresh(provider, access)
  if (!Effect.isEffect(accessToken)) {
    return Effect.succeed({ current: Effect.succeed(Redacted.value(accessToken)), after: () => Effect.succeed(null) })
  }
  let last: string | undefined
  const asked = Effect.map(accessToken, (token) => (last = Redacted.value(token)))
  return Effect.succeed({
    current: Effect.suspend(() => (last === undefined ? asked : Effect.succeed(last))),
    after: (refused) =>
      Effect.suspend(() =>
        last === refused
          ? Effect.map(asked, (token) => (token === refused ? null : token))
          : Effect.succeed(last ?? null)
      )
  })
}
