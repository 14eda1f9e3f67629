/** The addresses of documents that a list, a sitemap or an index of sitemaps names, a page at a time. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import { codeOf } from "../discovery/localFile.ts"
import { shown, type Web } from "./client.ts"
import { download } from "./download.ts"
import type { Place } from "./place.ts"
import * as Sitemap from "./sitemap.ts"

type Pages = Stream.Stream<ReadonlyArray<Sitemap.Listed>, SourceUnavailable>

/** Indexes inside each other; the definition allows one. */
const deepest = 3

/** Sitemaps of one index, as the definition has it. */
const mostSitemaps = 50_000

const pageSize = 256

/** The address of a line; null for an empty one and a remark. */
const addressOf = (line: string): Sitemap.Listed | null => {
  const url = line.replace(/^\uFEFF/u, "").trim()
  return url === "" || url.startsWith("#") ? null : { url, modified: "" }
}

async function* linesOf(path: string): AsyncGenerator<ReadonlyArray<Sitemap.Listed>> {
  const before = await stat(path)
  let page: Array<Sitemap.Listed> = []
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const listed = addressOf(line)
    if (listed !== null) page.push(listed)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
  const after = await stat(path)
  if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) throw new Replaced()
}

/** The list was written to while it was read. */
class Replaced extends Error {}

const unreadable =
  (source: string) =>
  (cause: unknown): SourceUnavailable => {
    const make = (reason: SourceUnavailable["reason"], problem: string) =>
      new SourceUnavailable({ source, reason, problem, cause })
    if (cause instanceof Replaced) return make("Failed", "it was changed while it was read; run again")
    switch (codeOf(cause)) {
      case "ENOENT":
      case "ENOTDIR":
        return make("Missing", "there is no such file; check its name")
      case "EACCES":
      case "EPERM":
        return make("Denied", "it may not be read; let this user read it")
      default:
        return make("Invalid", "it cannot be read; give a text file with an address on each line")
    }
  }

const ofText = (text: string): ReadonlyArray<Sitemap.Listed> =>
  text.split(/\r?\n/u).flatMap((line) => {
    const listed = addressOf(line)
    return listed === null ? [] : [listed]
  })

const invalid = (url: string, problem: string): SourceUnavailable =>
  new SourceUnavailable({ source: shown(url), reason: "Invalid", problem })

/** A sitemap, or all that an index names, each once. */
const walk = (web: Web, url: string, depth: number, seen: Set<string>): Pages =>
  Stream.unwrap(
    Effect.map(download(web, url), (bytes): Pages => {
      const sitemap = Sitemap.read(bytes)
      if (sitemap === null) {
        const problem = "it is no sitemap, or not to its end; check the address, or give list: for a list"
        return Stream.fail(new SourceUnavailable({ source: shown(url), reason: "Damaged", problem }))
      }
      if (sitemap.kind === "urls") return Stream.succeed(sitemap.entries)
      if (depth === 0) return Stream.fail(invalid(url, `its indexes lead more than ${deepest} levels down`))
      return Stream.flatMap(Stream.fromIterable(sitemap.entries), ({ url: inner }): Pages => {
        if (!URL.canParse(inner)) return Stream.fail(invalid(url, `it names a sitemap without an address: ${inner}`))
        if (seen.has(inner)) return Stream.empty
        seen.add(inner)
        return seen.size > mostSitemaps
          ? Stream.fail(invalid(url, `it names more than ${mostSitemaps} sitemaps; give one of its parts`))
          : walk(web, inner, depth - 1, seen)
      })
    })
  )

/** In the order of the list; fails where it cannot be read to its end. */
export const pages = (web: Web, { address, at, kind }: Place): Pages => {
  if (at._tag === "File") return Stream.fromAsyncIterable(linesOf(at.path), unreadable(address))
  if (kind === "sitemap") return Stream.suspend(() => walk(web, at.url, deepest, new Set([at.url])))
  return Stream.fromEffect(
    Effect.flatMap(download(web, at.url), (bytes) => {
      const text = bytes.toString("utf8")
      return /^\s*</u.test(text)
        ? Effect.fail(invalid(at.url, "it is a page and no list; give sitemap: for a sitemap"))
        : Effect.succeed(ofText(text))
    })
  )
}
