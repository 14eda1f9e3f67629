/**
 * Files in a folder of an SSH server, by SFTP.
 *
 * Needs the package `ssh2`. One connection is opened for a run, opened again after a break, and closed with the scope. A file whose time and
 * size the ledger knows is not read; one that was changed within the last minute is read, and its bytes are compared, since times are whole
 * seconds. A read fails when time or size are not those of the listing, before it or after it. Links are left out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { loaded } from "../internal/base/loaded.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Place from "../internal/sftp/place.ts"
import type * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/sftp/sftpStore.ts"))

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /**
   * `sftp://USER@HOST/PATH` or `sftp://USER@HOST:PORT/PATH`, without the user that of this machine; `/~/PATH` lies in the user's home. The
   * path is spelled as the server has it, without the encoding of addresses.
   */
  readonly root: string
  /** First part of every document id; default the folder's name, or the host of a topmost one. */
  readonly name?: string | undefined
  /**
   * A password, or a private key as OpenSSH keeps it in a file, with a passphrase where it has one. Default the file `SFTP_KEY_FILE` with
   * `SFTP_PASSPHRASE`, `SFTP_PASSWORD`, the agent (`SSH_AUTH_SOCK`), and the keys in `~/.ssh`, in this order.
   */
  readonly password?: Redacted.Redacted | undefined
  readonly privateKey?: Redacted.Redacted | undefined
  readonly passphrase?: Redacted.Redacted | undefined
  /** The key of the server: `SHA256:…`, or its type and itself as `ssh-keyscan` shows them. Default one of the known hosts. */
  readonly hostKey?: string | undefined
  /** File with keys of servers; default `SFTP_KNOWN_HOSTS`, else `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`. */
  readonly knownHosts?: string | undefined
}

/**
 * The files below the folder, as a run takes them. Fails when the server is not the one that is known, lets nobody in, or when one of the
 * folders cannot be listed; one file that cannot be read fails as a document.
 *
 * @example
 * import * as Sftp from "docsluice/source/Sftp"
 *
 * const manuals = Sftp.make({ root: "sftp://anna@files.example.com/srv/manuals", patterns: ["**\/*.pdf"] })
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
      open: Effect.flatMap(stores, ({ open }) => open(place, options))
    }))
  )
