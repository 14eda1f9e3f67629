import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"

/** Settings of the environment about proxies; an empty text where there is none. */
export interface Proxies {
  /** For `http://`. */
  readonly http: string
  /** For `https://`; without it, that for `http://`. */
  readonly https: string
  /** Hosts that are reached without a proxy: names with their subdomains, with or without a port, by commas or spaces; `*` for all. */
  readonly none: string
}

/** An address of a proxy that cannot be used. Does not hold the address, which may contain a password. */
export interface Unusable {
  /** Name of the environment variable, as it was found. */
  readonly variable: string
  readonly reason: "Malformed" | "Scheme"
}

interface Setting {
  readonly variable: string
  readonly value: string
}

/** The value of the first variable that is set; in lower case first, as curl and undici have it. */
const setting = (name: string): Effect.Effect<Setting> =>
  Effect.map(
    Effect.forEach([name.toLowerCase(), name], (variable) =>
      Effect.map(Effect.option(Config.string(variable)), (value) => ({
        variable,
        value: Option.getOrElse(value, () => "").trim()
      }))
    ),
    (found) => found.find(({ value }) => value !== "") ?? { variable: name, value: "" }
  )

const decodable = (text: string): boolean => !/%(?![0-9a-f]{2})/i.test(text)

const address = ({ value, variable }: Setting): Either.Either<string, Unusable> => {
  if (value === "") return Either.right("")
  if (!URL.canParse(value)) return Either.left({ variable, reason: "Malformed" })
  const { hostname, password, protocol, username } = new URL(value)
  if (protocol !== "http:" && protocol !== "https:") return Either.left({ variable, reason: "Scheme" })
  return hostname !== "" && decodable(username) && decodable(password)
    ? Either.right(value)
    : Either.left({ variable, reason: "Malformed" })
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, each also in lower case. */
export const read: Effect.Effect<Proxies, Unusable> = Effect.gen(function* () {
  const http = yield* address(yield* setting("HTTP_PROXY"))
  const https = yield* address(yield* setting("HTTPS_PROXY"))
  return { http, https, none: (yield* setting("NO_PROXY")).value }
})

/** Credentials of the proxies in each form in which an answer may repeat them. */
const secretsOf = ({ http, https }: Proxies): ReadonlyArray<string> =>
  [http, https].flatMap((text) => {
    const { password, username } = text === "" ? { password: "", username: "" } : new URL(text)
    if (password === "") return []
    const [user, word] = [decodeURIComponent(username), decodeURIComponent(password)]
    return [Buffer.from(`${user}:${word}`).toString("base64"), password, word]
  })

/** Credentials in the environment's proxies, for redaction; none when a proxy cannot be used. */
export const secrets: Effect.Effect<ReadonlyArray<string>> = Effect.match(read, {
  onFailure: () => [],
  onSuccess: secretsOf
})
