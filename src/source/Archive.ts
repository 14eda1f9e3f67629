/**
 * Files in an archive: zip, and tar, packed with gzip or not.
 *
 * Names are listed a page at a time and never held all at once; a file whose checksum (zip), or date and size (tar), the ledger knows is
 * not read. Nothing is unpacked to its name: a packed tar archive is unpacked into one temporary file, if any of its files is read.
 *
 * An archive that cannot be listed to its end, that holds two files of one name, whose files overlap, or that unpacks to more than 200
 * times its size is refused as a whole. A name that leads out of the archive, an encrypted file and a damaged one fail as documents. Links
 * and devices are left out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Place from "../internal/archive/place.ts"
import { loaded } from "../internal/base/loaded.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import type * as Source from "../Source.ts"

const archives = loaded(() => import("../internal/archive/archive.ts"))

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /** `zip:FILE` or `tar:FILE`, relative to the working directory or absolute; a tar archive may be packed with gzip. */
  readonly root: string
  /** First part of every document id; default the file's base name. */
  readonly name?: string | undefined
}

/**
 * The files of an archive, as a run takes them. Two archives of one base name are different roots: the second needs a name. Fails when the
 * archive cannot be listed to its end; one file that cannot be read fails as a document. What is unpacked is deleted with the scope, which
 * has to last as long as the run.
 *
 * @example
 * import * as Archive from "docsluice/source/Archive"
 *
 * const reports = Archive.make({ root: "zip:reports.zip", patterns: ["**\/*.pdf"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, Scope.Scope> => {
  const place = Place.parse(options.root)
  if (Either.isLeft(place)) return ObjectRoot.source<never>(options, Either.left(place.left))
  const { kind, name, path } = place.right
  const root = { name, address: Place.addressOf({ kind, path }), prefix: "" }
  return kind === "zip"
    ? ObjectRoot.source(options, Either.right({ ...root, open: Effect.flatMap(archives, ({ zip }) => zip(path)) }))
    : ObjectRoot.source(options, Either.right({ ...root, open: Effect.flatMap(archives, ({ tar }) => tar(path)) }))
}
