/**
 * A file to be parsed: a name, a size, a fingerprint and a way to open its bytes, from any storage.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { archiveKind } from "./internal/base/archiveKind.ts"
import { Landing } from "./internal/base/landing.ts"
import * as plainBytes from "./internal/base/plainBytes.ts"
import { unsent } from "./internal/base/wireFields.ts"

export * as FileType from "./internal/base/fileType.ts"

/**
 * Root name, `/`, POSIX path below the root: stable across moves of the checkout.
 *
 * @since 0.1.0
 * @category models
 */
export const DocumentId = Schema.NonEmptyString.pipe(Schema.brand("docsluice/DocumentId"))

/**
 * @since 0.1.0
 * @category models
 */
export type DocumentId = typeof DocumentId.Type

/**
 * Evidence, without reading the file, of whether it may have changed.
 *
 * `Stat`: nanoseconds since the epoch and the inode, of a local file. `Etag`: any text of the source's own that changes
 * when the bytes change.
 *
 * @since 0.1.0
 * @category models
 */
export type Fingerprint =
  | { readonly _tag: "Stat"; readonly modified: bigint; readonly changed: bigint; readonly inode: bigint }
  | { readonly _tag: "Etag"; readonly value: string }

/**
 * The file could not be read, or is empty.
 *
 * @since 0.1.0
 * @category errors
 */
export class FileUnreadable extends Schema.TaggedError<FileUnreadable>("docsluice/FileUnreadable")("FileUnreadable", {
  /** POSIX path below the root. */
  path: Schema.String,
  reason: Schema.Literal(
    "NotFound",
    "PermissionDenied",
    "NotAFile",
    "Empty",
    "Name",
    "Encrypted",
    "Address",
    "Invalid",
    "Io"
  ),
  /** More about the reason, in words; for `Invalid` the field and what it must be. Missing where there is no more. */
  problem: Schema.optional(Schema.String),
  cause: unsent
}) {
  override get message(): string {
    return `${this.path}: ${unreadable[this.reason]}${this.problem === undefined ? "" : `: ${this.problem}`}`
  }
}

const unreadable = {
  NotFound: "there is no such file; check the name, or whether it was moved since it was found",
  PermissionDenied: "permission to read it was denied; let this user read it, or leave it out",
  NotAFile: "it is not a regular file",
  Empty: "the file is empty",
  Name: "its name is not valid UTF-8, or leads out of the root; rename it",
  Encrypted: "it is encrypted; store it without a password, or leave it out",
  Address: "its address is not one that documents are read from",
  Invalid: "its source gave a value that cannot be used",
  Io: "it could not be read"
} as const

/**
 * The file changed while it was read, or since it was found.
 *
 * @since 0.1.0
 * @category errors
 */
export class FileChanged extends Schema.TaggedError<FileChanged>("docsluice/FileChanged")("FileChanged", {
  path: Schema.String,
  /** Bytes, as discovered. */
  expected: Schema.JsonNumber,
  /** Bytes that were there; as many as `expected` where only the version differs. */
  actual: Schema.JsonNumber
}) {
  override get message(): string {
    return this.expected === this.actual
      ? `${this.path}: changed since it was found`
      : `${this.path}: changed while it was read (${this.expected} bytes expected, ${this.actual} found)`
  }
}

/**
 * The file is larger than the limit and was not uploaded; `PayloadTooLarge` is the service's own refusal.
 *
 * @since 0.1.0
 * @category errors
 */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>("docsluice/FileTooLarge")("FileTooLarge", {
  path: Schema.String,
  bytes: Schema.JsonNumber,
  maxBytes: Schema.JsonNumber
}) {
  override get message(): string {
    return `${this.path}: ${this.bytes} bytes, the limit is ${this.maxBytes}`
  }
}

/**
 * Another file of the run has the same id; nothing of this one was sent or stored, and what is stored of the first stays. Two files of one
 * source must not have one path below its root: give each a different path, or leave one out.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateDocument extends Schema.TaggedError<DuplicateDocument>("docsluice/DuplicateDocument")(
  "DuplicateDocument",
  { path: Schema.String }
) {
  override get message(): string {
    return `${this.path}: an earlier file of this source has the same name, and that one counts; give each file a path of its own`
  }
}

/**
 * The service takes no file of this extension, and it is not read on this machine either.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedFile extends Schema.TaggedError<UnsupportedFile>("docsluice/UnsupportedFile")(
  "UnsupportedFile",
  {
    path: Schema.String,
    /** Lower case, without the dot; empty when there is none. */
    extension: Schema.String
  }
) {
  override get message(): string {
    const archive = archiveKind(this.extension)
    if (archive !== undefined) {
      return `${this.path}: an archive is no document; ingest ${archive}:FILE to read what is in it`
    }
    return this.extension === ""
      ? `${this.path}: a file without an extension is not supported`
      : `${this.path}: files of type .${this.extension} are not supported`
  }
}

/**
 * A file of a type that is read on this machine could not be read as such; nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class TextUnreadable extends Schema.TaggedError<TextUnreadable>("docsluice/TextUnreadable")("TextUnreadable", {
  /** POSIX path below the root. */
  path: Schema.String,
  /**
   * `Binary`: the bytes are no text in any encoding. `Redaction`: the parse options ask for redaction, which texts that are read here do
   * not get. `Reader`: a reader of your own failed or gave a value that is no reading, or the file is above a bound of a reader that is
   * built in.
   */
  reason: Schema.Literal("Binary", "Redaction", "Reader"),
  /** For `Reader`: the problem in words. */
  problem: Schema.optional(Schema.String),
  cause: unsent
}) {
  override get message(): string {
    return `${this.path}: ${this.reason === "Reader" ? `its reader failed: ${this.problem ?? "without a message"}` : noText[this.reason]}`
  }
}

const noText = {
  Binary: "its content is binary data and no text; leave it out, or give it the extension of its type",
  Redaction: "texts are read on this machine without redaction; turn redactPII off, or leave texts out"
} as const

/**
 * Errors of a file before or while its bytes are read. All of them concern this document only.
 *
 * @since 0.1.0
 * @category errors
 */
export const FileError = Schema.Union(FileUnreadable, FileChanged, FileTooLarge, UnsupportedFile, TextUnreadable)

/**
 * @since 0.1.0
 * @category errors
 */
export type FileError = typeof FileError.Type

/**
 * A run and a parser check the values: a document of which one is out of its bounds fails with `FileUnreadable`, reason `Invalid`.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceFile {
  readonly _tag: "SourceFile"
  readonly documentId: DocumentId
  /** POSIX path below the root, as the file system gives it; one file of a source has it. Not absolute, without `..` and U+0000. */
  readonly path: string
  /** Bytes; whole, from 0 on. */
  readonly size: number
  /** True when `size` is an estimate, as of a store that tells no exact one: then the file may be shorter or longer. Default false. */
  readonly estimated?: boolean | undefined
  /** Undefined when the source has none: then only the bytes show whether the file changed. */
  readonly fingerprint: Fingerprint | undefined
  /** The bytes, from the start each time it is run; fails when they are not there or no longer `size` long, unless that is an estimate. */
  readonly open: Stream.Stream<Uint8Array, FileUnreadable | FileChanged>
}

/**
 * A source file of any origin: an object store, a database, an upload.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Name of the collection, first part of the document id. */
  readonly root: string
  /** POSIX path below the root; its extension names the file type. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** True when `size` is an estimate; default false. */
  readonly estimated?: boolean | undefined
  readonly fingerprint?: Fingerprint | undefined
  readonly open: Stream.Stream<Uint8Array, FileUnreadable | FileChanged>
}): SourceFile => ({
  _tag: "SourceFile",
  documentId: documentId(options.root, options.path),
  path: options.path,
  size: options.size,
  ...(options.estimated === true && { estimated: true }),
  fingerprint: options.fingerprint,
  open: options.open
})

/**
 * A source file of any origin whose bytes a stream gives, with services and errors of its own.
 *
 * The stream uses the services of the context in which the file is made, each time it is opened: they must last as long as the run. An error
 * of its own fails this document only, as `FileUnreadable` with reason `Io`, its message and its cause.
 *
 * Without `size` the stream is run once here, to count the bytes, and holds none of them; a file whose stream fails then has size 0, and fails
 * when it is parsed. With `size` and a fingerprint an unchanged file is not read at all.
 *
 * ```ts
 * import { SourceFile } from "docsluice"
 * import { Context, Data, Effect, Stream } from "effect"
 *
 * class StoreError extends Data.TaggedError("StoreError")<{ readonly message: string }> {}
 * class Store extends Context.Tag("Store")<Store, { readonly get: (key: string) => Effect.Effect<Uint8Array, StoreError> }>() {}
 *
 * const stored = (key: string, version: string) =>
 *   SourceFile.fromStream({
 *     root: "store",
 *     path: key,
 *     fingerprint: { _tag: "Etag", value: version },
 *     open: Stream.fromEffect(Effect.flatMap(Store, (store) => store.get(key)))
 *   })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromStream = <E extends { readonly message: string }, R>(options: {
  readonly root: string
  readonly path: string
  /** Bytes; counted when it is absent. */
  readonly size?: number | undefined
  readonly fingerprint?: Fingerprint | undefined
  readonly open: Stream.Stream<Uint8Array, E, R>
}): Effect.Effect<SourceFile, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) => {
    const { path, size } = options
    const open = Stream.mapError(Stream.provideContext(options.open, context), (error) =>
      isUnreadable(error) ? error : new FileUnreadable({ path, reason: "Io", problem: error.message, cause: error })
    )
    const file = (size: number) => make({ ...options, size, open })
    if (size !== undefined) return Effect.succeed(file(size))
    return Effect.match(
      Stream.runFold(open, 0, (sum, part) => sum + part.length),
      {
        onSuccess: file,
        // With a size of 0 the document would fail as empty, and not by the store's error.
        onFailure: (error) => make({ ...options, size: 1, open: Stream.fail(error) })
      }
    )
  })

/**
 * A source file whose bytes are already in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromBytes = (options: {
  readonly root: string
  readonly path: string
  readonly bytes: Uint8Array
}): SourceFile =>
  make({ root: options.root, path: options.path, size: options.bytes.length, open: Stream.make(options.bytes) })

/**
 * The id of the document at a path below a root of that name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const documentId = (root: string, path: string): DocumentId =>
  // Not empty, whatever the two are.
  DocumentId.make(`${root}/${path}`, { disableValidation: true })

/**
 * Name of the root: the part of the document's id before the path.
 *
 * @since 0.1.0
 * @category accessors
 */
export const rootOf = (file: Pick<SourceFile, "documentId" | "path">): string =>
  file.documentId.slice(0, -file.path.length - 1)

/**
 * All bytes of a file in one new array; fails with `FileChanged` when their number is not `size`, unless that is an estimate. Holds the file
 * once, one whose size is estimated twice. A local file is opened once and read in one call.
 *
 * @since 0.1.0
 * @category accessors
 */
export const bytes = (file: SourceFile): Effect.Effect<Uint8Array<ArrayBuffer>, FileUnreadable | FileChanged> =>
  Effect.suspend(() => {
    const { open } = file
    const whole = plainBytes.of(open)?.whole
    if (whole !== undefined) return atOnce(file, whole)
    return file.estimated === true ? joined(open) : gathered(file, open)
  })

const atOnce = (
  file: SourceFile,
  whole: plainBytes.Whole
): Effect.Effect<Uint8Array<ArrayBuffer>, FileUnreadable | FileChanged> =>
  Effect.suspend(() => {
    const read = new Landing<Uint8Array<ArrayBuffer>, FileUnreadable | FileChanged>()
    const cancel = whole(
      (all) =>
        read.land(
          all.length === file.size || file.estimated === true
            ? Effect.succeed(all)
            : Effect.fail(changed(file, all.length))
        ),
      (cause) => read.land(Effect.fail(unreadableBy(file, cause)))
    )
    // Most small files are read at once, and what is read cannot be interrupted.
    return read.result ?? Effect.onInterrupt(read.landed, () => Effect.sync(cancel))
  })

const gathered = (
  file: SourceFile,
  open: SourceFile["open"]
): Effect.Effect<Uint8Array<ArrayBuffer>, FileUnreadable | FileChanged> => {
  const all = new Uint8Array(file.size)
  let at = 0
  return Stream.runForEach(open, (part) => {
    if (at + part.length > all.length) return Effect.fail(changed(file, at + part.length))
    all.set(part, at)
    at += part.length
    return Effect.void
  }).pipe(Effect.flatMap(() => (at === all.length ? Effect.succeed(all) : Effect.fail(changed(file, at)))))
}

const joined = (open: SourceFile["open"]): Effect.Effect<Uint8Array<ArrayBuffer>, FileUnreadable | FileChanged> =>
  Effect.map(Stream.runCollect(open), (parts) => {
    const all = new Uint8Array(Chunk.reduce(parts, 0, (sum, part) => sum + part.length))
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  })

const changed = (file: SourceFile, actual: number): FileChanged =>
  new FileChanged({ path: file.path, expected: file.size, actual })

const isUnreadable = (error: unknown): error is FileUnreadable | FileChanged =>
  error instanceof FileUnreadable || error instanceof FileChanged

const unreadableBy = (file: SourceFile, cause: unknown): FileUnreadable | FileChanged =>
  isUnreadable(cause) ? cause : new FileUnreadable({ path: file.path, reason: "Io", cause })
