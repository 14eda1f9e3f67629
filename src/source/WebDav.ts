/**
 * Files in a folder of a WebDAV server: Nextcloud, ownCloud, Apache's `mod_dav`, a NAS.
 *
 * Each folder is asked for by itself, six at a time, since most servers refuse to list all that is below one. A file whose ETag, or date and
 * length, the ledger knows is not read; one with a weak ETag and a date of the last seconds is read, and its bytes are compared. A read that
 * breaks off goes on where it ended, of the same version only. Requests are tried again when the server throttles them, fails or does not
 * answer; redirects are not followed.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { loaded } from "../internal/base/loaded.ts"
import { environment } from "../internal/objects/environment.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Place from "../internal/webdav/place.ts"
import type * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/webdav/webdavStore.ts"))

/**
 * What a server asks for: a user and a password, of Nextcloud best one for apps, or a token.
 *
 * @since 0.1.0
 * @category models
 */
export type Credentials =
  | { readonly user: string; readonly password: Redacted.Redacted }
  | { readonly token: Redacted.Redacted }

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /** `webdav:https://HOST/PATH`, the address of a folder. */
  readonly root: string
  /** First part of every document id; default the folder's name, or the host of a topmost one. */
  readonly name?: string | undefined
  /**
   * Sent to the origin of the address only, and over `http` only to this machine. Default `WEBDAV_TOKEN`, else `WEBDAV_USER` with
   * `WEBDAV_PASSWORD`; without these, or `anonymous`, none are sent.
   */
  readonly credentials?: Credentials | "anonymous" | undefined
}

/**
 * The files below the folder, as a run takes them. Fails when one of the folders cannot be listed; one file that cannot be read fails as a
 * document.
 *
 * @example
 * import * as WebDav from "docsluice/source/WebDav"
 *
 * const manuals = WebDav.make({ root: "webdav:https://cloud.example.com/remote.php/dav/files/anna/Manuals" })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, HttpClient.HttpClient> =>
  ObjectRoot.source(
    options,
    Either.map(Place.parse(options.root, options.credentials, environment()), (place) => ({
      name: place.name,
      address: `webdav:${place.url}`,
      prefix: "",
      open: Effect.flatMap(stores, ({ make }) => make(place))
    }))
  )
