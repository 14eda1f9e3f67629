/** Documents of the web as files: lists of addresses and sitemaps, their names below a root, and conditional reads. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SourceUnavailable } from "../../Source.ts"
import { SeenNames } from "../base/seenNames.ts"
import * as FileTypes from "../discovery/fileTypes.ts"
import type { ObjectStore } from "../objects/objectStore.ts"
import * as Addresses from "./addresses.ts"
import * as Client from "./client.ts"
import * as HeldPages from "./heldPages.ts"
import * as Look from "./look.ts"
import * as PageName from "./pageName.ts"
import { type Place, problemOf } from "./place.ts"
import { read } from "./read.ts"
import type { Listed } from "./sitemap.ts"
import type { WebEntry } from "./webEntry.ts"

/** Requests at a time while documents are listed. */
const concurrency = 6

/** Documents of one host in a row that fail for a while, after which it is taken for down. */
const mostFailures = 5

/** Documents in a row, of any host, that fail for a while, after which the list is given up. */
const mostLosses = 30

/** Hosts that do not answer: their documents are not asked for one by one. */
class Outages {
  readonly #failures = new Map<string, number>()
  readonly #errors = new Map<string, SourceUnavailable>()
  #losses = 0

  answered(host: string): void {
    this.#failures.delete(host)
    this.#errors.delete(host)
    this.#losses = 0
  }

  failed(host: string, error: SourceUnavailable): void {
    const failures = (this.#failures.get(host) ?? 0) + 1
    this.#failures.set(host, failures)
    this.#losses += 1
    if (failures >= mostFailures) this.#errors.set(host, error)
  }

  /** The error of a host that is down. */
  of(host: string): SourceUnavailable | undefined {
    const error = this.#errors.get(host)
    if (error !== undefined) this.#losses += 1
    return error
  }

  /** True when so many documents were lost that the rest is not worth asking for. */
  get hopeless(): boolean {
    return this.#losses >= mostLosses
  }
}

/** Addresses that lead to one page, at which that is said. */
const sayFrom = 5

/** Pages that redirects led to, of which the last count. */
const mostPages = 1000

/** Counts the redirects to one page, since a server that wants a sign-in answers with one in place of all documents. */
class Redirects {
  readonly #counts = new Map<string, number>()

  /** A warning, once for each page. */
  seen({ ledTo }: WebEntry): Effect.Effect<void> {
    if (ledTo === undefined) return Effect.void
    const count = (this.#counts.get(ledTo) ?? 0) + 1
    this.#counts.delete(ledTo)
    this.#counts.set(ledTo, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > mostPages && oldest !== undefined) this.#counts.delete(oldest)
    return count === sayFrom
      ? Effect.logWarning(
          `${count} addresses of the list lead to ${ledTo}, which is stored under each of their names; check whether the server wants a sign-in`
        )
      : Effect.void
  }
}

/** True when a document at that path may be wanted, whatever extension it gets. */
const mayBeWanted = (prefixes: ReadonlyArray<string>, path: string): boolean =>
  prefixes.some((prefix) => path.startsWith(prefix) || prefix.startsWith(path))

/** A line that is no address, short enough for a message. */
const asKey = (line: string): string => line.slice(0, 200).replaceAll(/[\p{Cc}/\\]+/gu, " ")

/** What tells an entry from the others: not a name that it may not have. */
const nameOf = ({ key, problem, url }: WebEntry): string => (problem?.uncertain === true ? `?${url} ${key}` : key)

export interface Options {
  readonly place: Place
  readonly allowed: Client.Allowed
  readonly maxBytes: number
}

/** Opens connections, closed with the scope; asks for nothing yet. */
export const make = ({
  allowed,
  maxBytes,
  place
}: Options): Effect.Effect<ObjectStore<WebEntry>, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const web = yield* Client.make(allowed)
    const held = yield* HeldPages.make
    const types = yield* FileTypes.all
    const host = place.kind === "sitemap" && place.at._tag === "Url" ? new URL(place.at.url).host : null

    const asked = (
      outages: Outages,
      looking: Look.Looking,
      listed: Listed,
      path: string
    ): Effect.Effect<WebEntry, SourceUnavailable> =>
      Effect.suspend(() => {
        const of = new URL(listed.url).host
        const down = outages.of(of)
        if (outages.hopeless && down !== undefined) return Effect.fail(down)
        if (down !== undefined) return Effect.succeed(Look.failed(looking, listed, path, down))
        return Effect.matchEffect(Look.look(looking, listed, path), {
          onSuccess: (entry) => {
            outages.answered(of)
            return Effect.succeed(entry)
          },
          onFailure: (error) => {
            if (error.transient) outages.failed(of, error)
            return outages.hopeless ? Effect.fail(error) : Effect.succeed(Look.failed(looking, listed, path, error))
          }
        })
      })

    /** Null for what is certainly not wanted. */
    const entryOf = (
      outages: Outages,
      prefixes: ReadonlyArray<string>,
      opens: (entry: WebEntry) => boolean,
      { modified, url: text }: Listed
    ): Effect.Effect<WebEntry | null, SourceUnavailable> => {
      if (!URL.canParse(text)) return Effect.succeed(Look.noAddress(text, asKey(text)))
      const url = new URL(text)
      url.hash = ""
      const path = PageName.pathOf(url, host)
      if (!mayBeWanted(prefixes, path)) return Effect.succeed(null)
      const problem = problemOf(url)
      const unasked = (key: string): WebEntry => ({
        key,
        size: 1,
        etag: "",
        url: url.href,
        version: { _tag: "Listed", value: "" }
      })
      const looking: Look.Looking = { web, held, types, maxBytes, wants: (key) => opens(unasked(key)) }
      if (problem !== null) return Effect.succeed(Look.unreadable(looking, "", path, { reason: "Address", problem }))
      if (Look.isTyped(looking, path) && !looking.wants(path)) return Effect.succeed(unasked(path))
      return asked(outages, looking, { url: url.href, modified }, path)
    }

    return {
      address: place.address,
      list: (prefixes, opens) =>
        Stream.suspend(() => {
          const seen = new SeenNames()
          const outages = new Outages()
          const redirects = new Redirects()
          return Addresses.pages(web, place).pipe(
            Stream.flatMap((page) => Stream.fromIterable(page)),
            Stream.mapEffect((listed) => entryOf(outages, prefixes, opens, listed), { concurrency }),
            Stream.filter((entry): entry is WebEntry => entry !== null && seen.add(nameOf(entry))),
            Stream.tap((entry) => redirects.seen(entry)),
            Stream.map((entry) => [entry])
          )
        }),
      bytes: { _tag: "Answers", read: (entry, start) => read(web, entry, start) }
    }
  })
