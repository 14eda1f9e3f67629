/**
 * File types that are read on this machine, and never sent to the service: the text formats that are built in, and types of your own.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { grammarOf } from "./internal/base/codeType.ts"
import * as FileType from "./internal/base/fileType.ts"
import * as code from "./internal/reading/code.ts"
import type { Reading } from "./internal/reading/contract.ts"
import * as formats from "./internal/reading/formats.ts"
import type { OwnFile } from "./internal/reading/own.ts"
import { reading as plain } from "./internal/reading/plain.ts"
import type { TypeReader } from "./internal/reading/readBytes.ts"

export type { Reading } from "./internal/reading/contract.ts"

/**
 * A file as a reader gets it: its path, its bytes, and its bytes as text.
 *
 * @since 0.1.0
 * @category models
 */
export type File = OwnFile

/**
 * A reader of a file type of your own. It must give the same for the same bytes: an unchanged file is not read again by a later run with a
 * ledger, until the run is told to parse everything again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  /** Lower case, without the dot, for example `tex`. None of those that the service takes; one that is built in is replaced. */
  readonly extension: string
  /** `metadata.contentType` of the documents; default `text/plain`. */
  readonly mimeType?: string | undefined
  /**
   * Gives the text: Markdown when it is a string or has no blocks. An error of it fails this document only, as `TextUnreadable` with its
   * message, and so does a throw. Called for several files at a time.
   */
  readonly read: (file: File) => Reading | string | Effect.Effect<Reading | string, { readonly message: string }>
}

/**
 * Pictures of an extension, which are recognised as scans are: each goes to the service as a PDF with that picture on its pages.
 *
 * @since 0.1.0
 * @category models
 */
export interface Picture {
  readonly extension: string
  readonly picture: true
}

/**
 * A reader that cannot be used; nothing was found or parsed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidReader extends Schema.TaggedError<InvalidReader>("docsluice/InvalidReader")("InvalidReader", {
  extension: Schema.String,
  reason: Schema.Literal("Malformed", "OfService", "Twice", "NoFunction")
}) {
  override get message(): string {
    return `the reader of "${this.extension}": ${problems[this.reason]}`
  }
}

const problems = {
  Malformed: "its extension is not one in lower case without a dot, such as tex",
  OfService: "the service takes files of this type",
  Twice: "there is another reader of this extension",
  NoFunction: "its read is not a function"
} as const

/**
 * The extensions of the text formats that are built in, lower case, without the dot.
 *
 * @since 0.1.0
 * @category constants
 */
export const builtIn: ReadonlyArray<string> = formats.extensions

/**
 * Who reads the files of a type: the service, or a reader on this machine.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadBy =
  | { readonly _tag: "Service"; readonly extension: FileType.Extension }
  | { readonly _tag: "Here"; readonly reader: TypeReader }
  /** The service, as a PDF with the picture on its pages. */
  | { readonly _tag: "Picture" }

const among = (own: ReadonlyMap<string, TypeReader>, pictures: ReadonlySet<string>): Readers.Service => {
  const extensions = [...new Set([...builtIn, ...own.keys()])]
  return {
    extensions,
    readable: [...FileType.all, ...extensions, ...pictures],
    whoReads: (extension) => {
      if (FileType.isExtension(extension)) return { _tag: "Service", extension }
      if (pictures.has(extension)) return { _tag: "Picture" }
      const reader = own.get(extension) ?? formats.ofExtension(extension)
      return reader === undefined ? undefined : { _tag: "Here", reader }
    }
  }
}

/**
 * The types that are read on this machine. Discovery takes their files, and the parser reads them; without a layer, those that are built in.
 *
 * @since 0.1.0
 * @category services
 */
export class Readers extends Context.Reference<Readers>()("docsluice/Readers", {
  defaultValue: (): Readers.Service => among(new Map(), new Set())
}) {}

export declare namespace Readers {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** The types that are read on this machine: lower case, without the dot. */
    readonly extensions: ReadonlyArray<string>
    /** All types that can be read: those that the service takes, then {@link extensions}. */
    readonly readable: ReadonlyArray<string>
    /** Who reads files of an extension in lower case; undefined for a type that nothing reads. */
    readonly whoReads: (extension: string) => ReadBy | undefined
  }
}

const wellFormed = /^[a-z0-9][a-z0-9_+~#-]*$/u

const isPicture = (reader: Reader | Picture): reader is Picture => "picture" in reader

const problemOf = (reader: Reader | Picture, seen: ReadonlySet<string>) => {
  const { extension } = reader
  if (typeof extension !== "string" || !wellFormed.test(extension)) return "Malformed"
  if (FileType.isExtension(extension)) return "OfService"
  if (seen.has(extension)) return "Twice"
  return isPicture(reader) || typeof reader.read === "function" ? null : "NoFunction"
}

/** The extension as it was given; a program without types can give any value. */
const nameOf = ({ extension }: { readonly extension: unknown }): string => String(extension)

/**
 * The readers that are built in and these; fails for the first one that cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (readers: ReadonlyArray<Reader | Picture>): Either.Either<Readers.Service, InvalidReader> => {
  const own = new Map<string, TypeReader>()
  const pictures = new Set<string>()
  for (const reader of readers) {
    const reason = problemOf(reader, new Set([...own.keys(), ...pictures]))
    if (reason !== null) return Either.left(new InvalidReader({ extension: nameOf(reader), reason }))
    if (isPicture(reader)) {
      pictures.add(reader.extension)
      continue
    }
    const { extension, mimeType = "text/plain", read } = reader
    own.set(extension, { extension, mimeType, read })
  }
  return Either.right(among(own, pictures))
}

/**
 * Readers of your own for the effect that it is provided to: discovery, parser and pipeline alike.
 *
 * ```ts
 * import * as Readers from "docsluice/Readers"
 * import { Effect } from "effect"
 *
 * const layer = Readers.layer([
 *   { extension: "srt", read: ({ text }) => Effect.map(text, (all) => all.replace(/^\d+\n.*-->.*\n/gm, "")) }
 * ])
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (readers: ReadonlyArray<Reader | Picture>): Layer.Layer<Readers, InvalidReader> =>
  Layer.effect(Readers, make(readers))

/**
 * A reader of an extension as plain text: paragraphs between blank lines, no headings.
 *
 * @since 0.1.0
 * @category constructors
 */
export const plainText = (extension: string): Reader => ({
  extension,
  read: ({ text }) => Effect.map(text, plain)
})

/**
 * A reader of source code of an extension: the functions and classes around a line are its headings, each with its signature, once
 * `@vscode/tree-sitter-wasm` is installed; lines without headings before, and in languages that it does not have. Chunks have
 * `firstLine` and `lastLine` in their metadata.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sourceCode = (extension: string): Reader => {
  const grammar = grammarOf(extension)
  return {
    extension,
    read: ({ text }) =>
      Effect.flatMap(text, (all) =>
        grammar === undefined ? Effect.succeed(code.whole(all)) : code.reading(all, grammar)
      )
  }
}

/**
 * Pictures of an extension, PNG, JPEG or TIFF by their first bytes, as scans: their text is recognised where the service does that.
 *
 * @since 0.1.0
 * @category constructors
 */
export const picture = (extension: string): Picture => ({ extension, picture: true })
