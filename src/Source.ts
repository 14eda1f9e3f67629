/**
 * Files to ingest, together with the scope that they are all the files of.
 *
 * @since 0.1.0
 */
import { dual } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Message from "./internal/base/message.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { unsent } from "./internal/base/wireFields.ts"
import type { Found } from "./internal/discovery/foundFiles.ts"
import { documentId } from "./SourceFile.ts"

/**
 * An object store, a list, an archive or a server of a source cannot be used: its listing, or all of it. One object that cannot be read
 * is a `FileUnreadable` of that document. A listing that breaks off fails with this error, and so does the run: nothing is removed.
 *
 * `Throttled`, `Timeout`, `Unreachable` and `Failed` may pass, and were tried again before. `Denied`: no or wrong credentials, or no right
 * to list. `Missing`: no such bucket, container, list, archive or folder. `NoMatch`: nothing is there that the patterns want. `Damaged`: a
 * sitemap or an archive that cannot be read to its end, or is refused as a whole. `Invalid`: an address, an option or an answer that means
 * nothing.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourceUnavailable extends Schema.TaggedError<SourceUnavailable>("docsluice/SourceUnavailable")(
  "SourceUnavailable",
  {
    /** The source's address without credentials and query. */
    source: Schema.String,
    reason: Schema.Literal(
      "Throttled",
      "Timeout",
      "Unreachable",
      "Failed",
      "Denied",
      "Missing",
      "NoMatch",
      "Damaged",
      "Invalid"
    ),
    ...Message.problemFields,
    /** Status of the last answer; absent without one. */
    status: Schema.optional(Schema.Int),
    cause: unsent
  }
) {
  override get message(): string {
    return `${this.source}: ${this.problem}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(`${this.source}: `, this.template)
  }

  /** True when the same request may succeed later. */
  get transient(): boolean {
    return passing.has(this.reason)
  }
}

const passing: ReadonlySet<string> = new Set(["Throttled", "Timeout", "Unreachable", "Failed"])

/**
 * Files that a source takes of its root. Options of sources extend it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Selection {
  /**
   * Names and globs (case ignored), relative to the root: a name is the file of that name, or all below it; `!glob` excludes. Default the
   * whole root.
   */
  readonly patterns?: ReadonlyArray<string> | undefined
  /** Names below the root, never globs. Without `patterns`, only these are taken. */
  readonly filesFrom?: ReadonlyArray<string> | undefined
  /** Globs, relative to the root, that are excluded with all below them; one without `/` applies at every depth. */
  readonly ignore?: ReadonlyArray<string> | undefined
  /** Extensions, lower case, without the dot, to which the types are limited; default: all that can be read. */
  readonly types?: ReadonlyArray<string> | undefined
  /** Bytes above which a file is refused; default that of the service. */
  readonly maxBytes?: number | undefined
}

/**
 * A root and the patterns requested of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ScopeRequest {
  /** Name of the root, first part of its documents' ids. */
  readonly root: string
  /** The root's absolute path, or the address of one in an object store; null for a source that has neither. */
  readonly path: string | null
  /** Digest of the patterns. */
  readonly patterns: string
  /**
   * Parts of the root that the patterns cover. A complete discovery of a whole folder also ends the claims of scopes inside it on
   * documents that are gone from the disk. Default: unknown, and every other scope keeps its claims.
   */
  readonly parts?: ReadonlyArray<ScopePart> | undefined
}

/**
 * A part of a root that a scope covers.
 *
 * @since 0.1.0
 * @category models
 */
export interface ScopePart {
  /** POSIX path below the root; empty for the root itself. */
  readonly path: string
  /** True when every file below it is found, except those excluded on purpose. */
  readonly whole: boolean
}

interface Given<E, R> {
  readonly files: Stream.Stream<Found, E, R>
  readonly scope: ScopeRequest
  readonly partial: boolean
}

/**
 * A run in mode `sync` removes the documents of the scope that are not among the files. A source cannot be narrowed by
 * accident: a copy of it with other files is not a source, {@link map} keeps every file, and {@link part} marks its result as
 * partial.
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

  /** The files, and the findings next to them that cannot be parsed. Each run of the stream scans again. */
  get files(): Stream.Stream<Found, E, R> {
    return this.#given.files
  }

  get scope(): ScopeRequest {
    return this.#given.scope
  }

  /** True when the files are only a part of the scope's: a file that is not among them is not gone. */
  get partial(): boolean {
    return this.#given.partial
  }
}

/**
 * Files of your own, from a database or an object store. They must be all files under this name; their own root is replaced by it. Each
 * path names one file: in a run the second of two fails as `DuplicateDocument`.
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
      found._tag === "Unsupported" || found.documentId === undefined
        ? found
        : { ...found, documentId: documentId(options.name, found.path) }
    )
  )

/** Stands in for the digest of patterns of a source without patterns. */
const ownFiles = sha256("files of one's own")

/**
 * A source of all files of a scope. The caller vouches that the files are complete.
 *
 * @since 0.1.0
 * @category constructors
 */
export const within = <E, R>(scope: ScopeRequest, files: Stream.Stream<Found, E, R>): Source<E, R> =>
  new Source({ files, scope, partial: false })

/**
 * Changes each file by the function, which must keep the path. No file is dropped.
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
 * Narrows a source to some of its files, for a run on these only: it treats none of the others as gone, whatever its mode.
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
