/**
 * Files to ingest, together with the scope that they are all the files of.
 *
 * @since 0.1.0
 */
import { dual } from "effect/Function"
import * as Stream from "effect/Stream"
import { sha256 } from "./internal/base/sha256.ts"
import type { Found } from "./internal/discovery/foundFiles.ts"
import { documentId } from "./SourceFile.ts"

/**
 * A root and the patterns that were asked of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ScopeRequest {
  /** Name of the root, first part of its documents' ids. */
  readonly root: string
  /** The root's absolute path; null for a source that is no folder. */
  readonly path: string | null
  /** Digest of the patterns. */
  readonly patterns: string
  /**
   * Where below the root the patterns look. A complete discovery of a folder as a whole also speaks for the scopes inside of it: the
   * documents that are gone from the disk there they no longer keep. Default: not known, and every other scope keeps what it claims.
   */
  readonly parts?: ReadonlyArray<ScopePart> | undefined
}

/**
 * A part of a root that a scope looks at.
 *
 * @since 0.1.0
 * @category models
 */
export interface ScopePart {
  /** POSIX path below the root; empty for the root itself. */
  readonly path: string
  /** Every file below it is found, but for what is left out on purpose. */
  readonly whole: boolean
}

interface Given<E, R> {
  readonly files: Stream.Stream<Found, E, R>
  readonly scope: ScopeRequest
  readonly partial: boolean
}

/**
 * A run in mode `sync` removes the documents of the scope that are not among the files. So a source cannot be narrowed by
 * accident: a copy of it with other files is no source, {@link map} leaves none out, and {@link part} says that it does.
 *
 * @since 0.1.0
 * @category models
 */
export class Source<out E = never, out R = never> {
  readonly #given: Given<E, R>

  /** `Discovery.folder`, {@link make} and {@link within} call this. */
  constructor(given: Given<E, R>) {
    this.#given = given
  }

  /** The files, and what was found next to them that cannot be parsed. Each run looks again. */
  get files(): Stream.Stream<Found, E, R> {
    return this.#given.files
  }

  get scope(): ScopeRequest {
    return this.#given.scope
  }

  /** The files are only a part of the scope's: a file that is not among them is not gone. */
  get partial(): boolean {
    return this.#given.partial
  }
}

/**
 * Files of your own, from a database or an object store: all that there are under this name, whatever root they were made with.
 *
 * @example
 * import * as Source from "docsluice/Source"
 * import * as SourceFile from "docsluice/SourceFile"
 * import { Stream } from "effect"
 *
 * const bytes = new TextEncoder().encode("<h1>North Quay</h1>")
 * const files = Stream.make(SourceFile.fromBytes({ root: "articles", path: "north.html", bytes }))
 * const articles = Source.make({ name: "articles", files })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <E, R>(options: {
  /** Name of the root of all files, first part of their ids. */
  readonly name: string
  readonly files: Stream.Stream<Found, E, R>
}): Source<E, R> =>
  within(
    { root: options.name, path: null, patterns: ownFiles },
    Stream.map(options.files, (found) =>
      found._tag === "SourceFile" ? { ...found, documentId: documentId(options.name, found.path) } : found
    )
  )

/** Takes the place of a digest of patterns where there are none. */
const ownFiles = sha256("files of one's own")

/**
 * All files of a scope, as the caller says.
 *
 * @since 0.1.0
 * @category constructors
 */
export const within = <E, R>(scope: ScopeRequest, files: Stream.Stream<Found, E, R>): Source<E, R> =>
  new Source({ files, scope, partial: false })

/**
 * Each file as the function gives it, none left out. The function keeps the path.
 *
 * @since 0.1.0
 * @category combinators
 */
export const map: {
  (change: (found: Found) => Found): <E, R>(self: Source<E, R>) => Source<E, R>
  <E, R>(self: Source<E, R>, change: (found: Found) => Found): Source<E, R>
} = dual(
  2,
  <E, R>(self: Source<E, R>, change: (found: Found) => Found): Source<E, R> =>
    new Source({ files: Stream.map(self.files, change), scope: self.scope, partial: self.partial })
)

/**
 * Some files of the same scope, for a run that looks at these only: none of the others is gone for it, whatever its mode.
 *
 * @since 0.1.0
 * @category combinators
 */
export const part: {
  <E, R, E2, R2>(
    narrow: (files: Stream.Stream<Found, E, R>) => Stream.Stream<Found, E2, R2>
  ): (self: Source<E, R>) => Source<E2, R2>
  <E, R, E2, R2>(
    self: Source<E, R>,
    narrow: (files: Stream.Stream<Found, E, R>) => Stream.Stream<Found, E2, R2>
  ): Source<E2, R2>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Source<E, R>,
    narrow: (files: Stream.Stream<Found, E, R>) => Stream.Stream<Found, E2, R2>
  ): Source<E2, R2> => new Source({ files: narrow(self.files), scope: self.scope, partial: true })
)
