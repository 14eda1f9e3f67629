/**
 * Documents of web servers that a list of addresses or a sitemap names.
 *
 * Addresses are read a list or a sitemap at a time. Each document is asked for with `HEAD`: one whose ETag, or date and size, the ledger
 * knows is not read. A server that tells neither is read at once, and the bytes decide. A read that breaks off goes on where it ended, of
 * the same version only. Requests are tried again when a server throttles them, fails or does not answer.
 *
 * Only public addresses are asked, unless `allowPrivate` names the host: that is checked for each connection, redirects included. No
 * credentials are sent, and `robots.txt` is not read: the list says what is wanted.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Limits from "../internal/base/limits.ts"
import { loaded } from "../internal/base/loaded.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Place from "../internal/web/place.ts"
import type * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/web/webStore.ts"))

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /**
   * `list:FILE` or `list:URL`, a text with one address on each line; or `sitemap:URL`, a sitemap or an index of sitemaps, packed with gzip
   * or not. The name of a document below it is its host, path and query, without the host below a sitemap of that host.
   */
  readonly root: string
  /** First part of every document id; default the file's base name, the list's host and path, or the sitemap's host. */
  readonly name?: string | undefined
  /** Hosts, without ports, that may have private addresses, `*` for all; default none. */
  readonly allowPrivate?: ReadonlyArray<string> | undefined
}

/**
 * The documents of a list or a sitemap, as a run takes them. Fails when that cannot be read to its end, or when no server answers any more;
 * one document that cannot be read fails as a document. Connections are closed with the scope, which has to last as long as the run.
 *
 * A document without an extension that names its type gets that of its answer: `/guide` is `guide.html`. Of two addresses with one name the
 * first counts.
 *
 * @example
 * import * as Http from "docsluice/source/Http"
 *
 * const manual = Http.make({ root: "sitemap:https://docs.example.com/sitemap.xml", patterns: ["guides/**"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, Scope.Scope> =>
  ObjectRoot.source(
    options,
    Either.map(Place.parse(options.root), (place) => ({
      name: place.name,
      address: place.address,
      prefix: "",
      open: Effect.flatMap(stores, ({ make }) =>
        make({ place, allowed: options.allowPrivate ?? [], maxBytes: options.maxBytes ?? Limits.maxUploadBytes })
      )
    }))
  )
