/**
 * The messages of a mailbox, and the files that are attached to them, over IMAP.
 *
 * A message is `FOLDER/SUBJECT-HASH.eml`, what is attached to it `FOLDER/SUBJECT-HASH.eml/prices.xlsx`. Both are listed by what the server
 * says of the message, without its body; what the ledger knows is not read. A message that lies twice in a folder counts once; one that is
 * marked as deleted does not count.
 *
 * Needs the package `imapflow`, which is not installed with this one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { loaded } from "../internal/base/loaded.ts"
import type { Secret } from "../internal/imap/connections.ts"
import * as Place from "../internal/imap/place.ts"
import { environment } from "../internal/objects/environment.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/imap/imapStore.ts"))

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /**
   * `imaps://USER@HOST:PORT/FOLDER`, or `imap://` where the server starts TLS by itself: the folder with all below it, or the whole mailbox
   * without one. The user may be an address of mail; a password in it is refused.
   */
  readonly root: string
  /** First part of every document id; default the user, with the host unless it is an address, and the folder. */
  readonly name?: string | undefined
  /** Default: the variable `IMAP_PASSWORD`. An effect is run for each connection. */
  readonly password?: Redacted.Redacted | Effect.Effect<Redacted.Redacted, Source.SourceUnavailable> | undefined
  /** Token of OAuth, instead of a password; default: the variable `IMAP_ACCESS_TOKEN`. An effect is run for each connection. */
  readonly accessToken?: Redacted.Redacted | Effect.Effect<Redacted.Redacted, Source.SourceUnavailable> | undefined
}

/** Milliseconds that a server may be silent. */
const patience = 60_000

const secretOf = (
  { accessToken, password }: Options,
  source: string
): Effect.Effect<Secret, Source.SourceUnavailable> =>
  Effect.suspend(() => {
    const { IMAP_ACCESS_TOKEN: token, IMAP_PASSWORD: word } = environment()
    const given = accessToken ?? password
    const tag: Secret["_tag"] =
      accessToken !== undefined || (password === undefined && token) ? "AccessToken" : "Password"
    if (given !== undefined) {
      const value = Effect.isEffect(given) ? given : Effect.succeed(given)
      return Effect.map(value, (value) => ({ _tag: tag, value }))
    }
    const found = token || word
    return found
      ? Effect.succeed({ _tag: tag, value: Redacted.make(found) })
      : new Source.SourceUnavailable({
          source,
          reason: "Denied",
          problem: "there is no password; set IMAP_PASSWORD, or IMAP_ACCESS_TOKEN"
        })
  })

/**
 * The files of a mailbox, as a run takes them. Connections are closed with the scope, which has to last as long as the run. Fails when the
 * mailbox cannot be listed to the end; one message that cannot be read fails as a document.
 *
 * @example
 * import * as Imap from "docsluice/source/Imap"
 *
 * const offers = Imap.make({ root: "imaps://sales@example.com@imap.example.com/INBOX/Offers" })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, Scope.Scope> =>
  ObjectRoot.source(
    { ...options, root: Place.shown(options.root) },
    Either.map(Place.parse(options.root), (place) => {
      const address = Place.addressOf(place)
      return {
        name: Place.nameOf(place),
        address,
        prefix: place.folder === "" ? "" : `${place.folder}/`,
        open: Effect.flatMap(stores, ({ open }) => open({ place, secret: secretOf(options, address), patience }))
      }
    })
  )
