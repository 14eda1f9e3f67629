/** Addresses of lists of documents: `list:FILE`, `list:URL` and `sitemap:URL`. */
import { basename, resolve } from "node:path"
import * as Either from "effect/Either"
import { isSecret } from "../base/secretParameter.ts"

/** A list of addresses of documents. */
export interface Place {
  readonly kind: "list" | "sitemap"
  /** The list's own address, or its file's absolute path. */
  readonly at: { readonly _tag: "Url"; readonly url: string } | { readonly _tag: "File"; readonly path: string }
  /** Name of the root without one of its own: that of the file, or host and path of a list, or the host of a sitemap. */
  readonly name: string
  /** Address that tells the root from all others. */
  readonly address: string
}

/** The problem of an address of a document or a list in words; null where it may be asked for. */
export const problemOf = (url: URL): string | null => {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "only http: and https: are read"
  return url.username === "" && url.password === ""
    ? null
    : "a user or a password in an address is never sent; leave it out"
}

const ofUrl = (kind: Place["kind"], text: string): Either.Either<Place, string> => {
  if (!URL.canParse(text)) return Either.left(`expected ${kind}:https://HOST/PATH`)
  const url = new URL(text)
  url.hash = ""
  const problem = problemOf(url)
  if (problem !== null) return Either.left(problem)
  if ([...url.searchParams.keys()].some(isSecret)) {
    return Either.left("its query holds a secret, which the state would keep; download it, and give list:FILE")
  }
  const name = kind === "sitemap" ? url.host : `${url.host}${url.pathname}`.replace(/\/+$/u, "")
  return Either.right({ kind, at: { _tag: "Url", url: url.href }, name, address: `${kind}:${url.href}` })
}

/** Parses an address; the problem in words on the left. */
export const parse = (address: string): Either.Either<Place, string> => {
  const form = /^(list|sitemap):(.+)$/su.exec(address)
  const rest = form?.[2]
  if (form === null || rest === undefined) return Either.left("expected list:FILE, list:URL or sitemap:URL")
  const kind = form[1] === "sitemap" ? "sitemap" : "list"
  if (kind === "sitemap" || /^[a-z][a-z0-9+.-]+:\/\//iu.test(rest)) return ofUrl(kind, rest)
  const path = resolve(rest)
  const name = basename(path)
  if (name === "") return Either.left("expected a file with addresses, one on each line")
  return Either.right({ kind, at: { _tag: "File", path }, name, address: `list:${path}` })
}
