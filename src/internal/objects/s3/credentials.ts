/** Credentials of an object store from where its tools keep them. */
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Environment } from "../environment.ts"

/** Keys that sign requests. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted | undefined
  /** End of their validity in milliseconds since the epoch; undefined for keys that last. */
  readonly expires?: number | undefined
}

/** Null where a place holds none. */
type Found<R = never> = Effect.Effect<Credentials | null, never, R>

const ofEnvironment = (environment: Environment): Credentials | null => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment
  if (!id || !secret) return null
  return {
    accessKeyId: id,
    secretAccessKey: Redacted.make(secret),
    sessionToken: token ? Redacted.make(token) : undefined
  }
}

/** Members of one section of a file such as `~/.aws/credentials`. */
const section = (text: string, names: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const members: Record<string, string> = {}
  let inside = false
  for (const line of text.split(/\r?\n/u)) {
    const head = /^\s*\[\s*([^\]]+?)\s*\]/u.exec(line)
    if (head !== null) inside = names.includes(head[1] ?? "")
    const member = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/u.exec(line)
    if (inside && member !== null) members[member[1] ?? ""] = member[2] ?? ""
  }
  return members
}

const readText = (path: string) => Effect.promise(() => readFile(path, "utf8").catch(() => ""))

/** The profile's members in the files of credentials and of settings; the former count where both have one. */
const profile = (environment: Environment) => {
  const { AWS_CONFIG_FILE, AWS_PROFILE = "default", AWS_SHARED_CREDENTIALS_FILE } = environment
  const home = join(environment["HOME"] ?? homedir(), ".aws")
  return Effect.zipWith(
    readText(AWS_CONFIG_FILE ?? join(home, "config")),
    readText(AWS_SHARED_CREDENTIALS_FILE ?? join(home, "credentials")),
    (config, credentials) => ({
      ...section(config, [AWS_PROFILE, `profile ${AWS_PROFILE}`]),
      ...section(credentials, [AWS_PROFILE])
    })
  )
}

const ofProfile = (environment: Environment): Found =>
  Effect.map(
    profile(environment),
    ({ aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token }) =>
      id && secret
        ? {
            accessKeyId: id,
            secretAccessKey: Redacted.make(secret),
            sessionToken: token ? Redacted.make(token) : undefined
          }
        : null
  )

/** The region of the environment or of the profile. */
export const region = (environment: Environment): Effect.Effect<string | undefined> => {
  const { AWS_DEFAULT_REGION, AWS_REGION } = environment
  const given = AWS_REGION || AWS_DEFAULT_REGION
  return given ? Effect.succeed(given) : Effect.map(profile(environment), ({ region: found }) => found || undefined)
}

const Answer = Schema.Struct({
  AccessKeyId: Schema.NonEmptyString,
  SecretAccessKey: Schema.NonEmptyString,
  Token: Schema.optional(Schema.String),
  Expiration: Schema.optional(Schema.String)
})

const decode = Schema.decodeUnknown(Answer)

/** Longest wait for a container or an instance: where there is none, nothing answers. */
const timeout = "1 second"

const asked = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<string, unknown, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.execute(request)).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.flatMap((answer) => answer.text),
    Effect.timeout(timeout)
  )

const answered = (text: string): Effect.Effect<Credentials, unknown> =>
  Effect.try(() => JSON.parse(text)).pipe(
    Effect.flatMap(decode),
    Effect.map(({ AccessKeyId, Expiration, SecretAccessKey, Token }) => ({
      accessKeyId: AccessKeyId,
      secretAccessKey: Redacted.make(SecretAccessKey),
      sessionToken: Token === undefined ? undefined : Redacted.make(Token),
      expires: Expiration === undefined ? undefined : Date.parse(Expiration)
    }))
  )

const orNone = <R>(found: Effect.Effect<Credentials, unknown, R>): Found<R> => Effect.orElseSucceed(found, () => null)

const none = Effect.succeed(null)

/** Keys of the task of a container. */
const ofContainer = (environment: Environment): Found<HttpClient.HttpClient> => {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN: token, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } = environment
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: full, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative } = environment
  const address = full ?? (relative === undefined ? undefined : `http://169.254.170.2${relative}`)
  if (address === undefined) return none
  return orNone(
    Effect.gen(function* () {
      const given = token ?? (file === undefined ? "" : (yield* readText(file)).trim())
      const request = HttpClientRequest.get(address, given === "" ? {} : { headers: { authorization: given } })
      return yield* Effect.flatMap(asked(request), answered)
    })
  )
}

/** Keys of the role of a virtual machine, by the second version of its address. */
const ofInstance = (environment: Environment): Found<HttpClient.HttpClient> => {
  if (environment["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true") return none
  const base = `${environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"}/latest`
  const roles = `${base}/meta-data/iam/security-credentials/`
  return orNone(
    Effect.gen(function* () {
      const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "600" }
      const token = yield* asked(HttpClientRequest.put(`${base}/api/token`, { headers: lifetime }))
      const headers = { "x-aws-ec2-metadata-token": token }
      const role = (yield* asked(HttpClientRequest.get(roles, { headers }))).split("\n")[0] ?? ""
      return yield* Effect.flatMap(asked(HttpClientRequest.get(`${roles}${role.trim()}`, { headers })), answered)
    })
  )
}

/** The first that is found of: the environment, the profile's file, the container, the virtual machine. Null without any. */
export const search = (environment: Environment): Found<HttpClient.HttpClient> =>
  Effect.gen(function* () {
    return (
      ofEnvironment(environment) ??
      (yield* ofProfile(environment)) ??
      (yield* ofContainer(environment)) ??
      (yield* ofInstance(environment))
    )
  })

/** Time before their end at which keys are asked for again, in milliseconds. */
const margin = 5 * 60_000

/** Keeps what `ask` gives until shortly before its end; one question at a time. */
export const kept = <E, R>(
  ask: Effect.Effect<Credentials | null, E, R>
): Effect.Effect<Effect.Effect<Credentials | null, E, R>> =>
  Effect.map(Effect.makeSemaphore(1), (semaphore) => {
    let last: { readonly value: Credentials | null } | undefined
    return semaphore.withPermits(1)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (last !== undefined && (last.value?.expires ?? Infinity) - margin > now) return last.value
        const value = yield* ask
        last = { value }
        return value
      })
    )
  })
