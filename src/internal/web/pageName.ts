/** Names of documents of the web: an address as a path below a root. */
import * as Option from "effect/Option"
import * as FileType from "../base/fileType.ts"
import { isSecret } from "../base/secretParameter.ts"

/** A segment as people read it, unless that would change its meaning. */
const readable = (segment: string): string => {
  try {
    const text = decodeURIComponent(segment)
    return /[/\\\p{Cc}]/u.test(text) || text === "." || text === ".." ? segment : text
  } catch {
    return segment
  }
}

/** The query without parameters that hold secrets, which change with each list. */
const queryOf = (url: URL): string => {
  const kept = new URL(url)
  for (const name of [...kept.searchParams.keys()].filter(isSecret)) kept.searchParams.delete(name)
  return kept.search === "?" ? "" : kept.search.replaceAll("/", "%2F")
}

/**
 * Path of a document: host, path and query. `host`: the one whose documents are named without it. A path that ends with a slash is that of
 * an `index`.
 */
export const pathOf = (url: URL, host: string | null): string => {
  const path = url.pathname.slice(1).split("/").map(readable).join("/")
  const file = path === "" || path.endsWith("/") ? `${path}index` : path
  return `${url.host === host ? "" : `${url.host}/`}${file}${queryOf(url)}`
}

/** Extensions of types that the service does not take, by the media types of their answers. */
const texts: Readonly<Record<string, string>> = {
  "text/plain": "txt",
  "text/markdown": "md",
  "text/x-markdown": "md",
  "application/json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/yaml": "yaml",
  "text/x-rst": "rst",
  "text/x-org": "org",
  "message/rfc822": "eml"
}

/** The extension that an answer's type means; undefined where it means none. */
export const extensionOf = (contentType: string): string | undefined =>
  Option.getOrUndefined(FileType.fromMimeType(contentType)) ??
  texts[contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""]

/** Extension of a document whose type is not known: most are pages. */
export const likeliest = "html"

/** All that an answer's type may mean, the likeliest first. */
export const extensions: ReadonlyArray<string> = [likeliest, ...FileType.all, ...Object.values(texts)]
