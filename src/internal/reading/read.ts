import * as Effect from "effect/Effect"
/** Reads one file of a text type: bytes, hash, encoding, format. */
import * as Either from "effect/Either"
import type { TextBlock } from "../../ParsedDocument.ts"
import { bytes, type FileChanged, type FileUnreadable, type SourceFile, TextUnreadable } from "../../SourceFile.ts"
import type { ParseData } from "../base/parseResponse.ts"
import { sha256 } from "../base/sha256.ts"
import * as Apart from "./apart.ts"
import type { Format, FormatReader, Reading } from "./contract.ts"
import { decode } from "./decode.ts"
import type { OwnReader } from "./own.ts"
import * as own from "./own.ts"
import { reading as plain } from "./plain.ts"

/** An answer as the service would give it, with what it has no members for. */
export interface Read {
  readonly data: ParseData
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string
  readonly structure: ReadonlyArray<TextBlock> | undefined
  readonly warnings: ReadonlyArray<string>
}

/** The reader of a type: a built-in format, or a reader of the user. */
export type TypeReader = Format | OwnReader

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Names that the answers of the service use, and what a run reads from them. */
const reserved: ReadonlySet<string> = new Set(
  "sourceURL url statusCode numPages totalPages contentType error concurrencyLimited concurrencyQueueDurationMs creditsUsed".split(
    " "
  )
)

const metadataOf = (path: string, mimeType: string, given: Reading["metadata"] = {}): ParseData["metadata"] => {
  const { description, keywords, language, title, ...others } = given
  const named = Object.entries({ title, description, keywords, language }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === "object" ? value : String(value)] as const]
  )
  const free = Object.entries(others).map(
    ([name, value]) => [reserved.has(name) ? `document.${name}` : name, value] as const
  )
  return { ...Object.fromEntries([...named, ...free]), sourceURL: baseName(path), contentType: mimeType }
}

/** A text that its format fails on, as one nested too deep can make it, is still a text. */
const asPlainText = (text: string, cause: unknown): Reading => ({
  ...plain(text),
  warnings: [`it was read as plain text: ${cause instanceof Error ? cause.message : String(cause)}`]
})

const readText = (
  file: Pick<SourceFile, "path">,
  all: Uint8Array,
  { encodingOf, ofText }: Extract<FormatReader, { readonly ofText: unknown }>
): Effect.Effect<Reading, TextUnreadable> =>
  Effect.flatMap(decode(all, encodingOf), (decoded) => {
    if (decoded === null) return new TextUnreadable({ path: file.path, reason: "Binary" })
    const reading = Either.getOrElse(
      Either.try(() => ofText(decoded.text)),
      (cause) => asPlainText(decoded.text, cause)
    )
    return Effect.succeed(
      decoded.warning === null ? reading : { ...reading, warnings: [decoded.warning, ...(reading.warnings ?? [])] }
    )
  })

/** The text of a file whose bytes are there. */
export const readingOf = (
  file: Pick<SourceFile, "path">,
  all: Uint8Array,
  reader: TypeReader
): Effect.Effect<Reading, TextUnreadable> => {
  if ("read" in reader) return own.read(file, all, reader)
  return Effect.flatMap(reader.reader, (format) =>
    "ofText" in format
      ? readText(file, all, format)
      : Effect.mapError(
          format.ofBytes(all),
          (problem) => new TextUnreadable({ path: file.path, reason: "Reader", problem })
        )
  )
}

/** Reads a file; an empty one has no text, which is no failure. `onHash` is called with its hash before it is decoded. */
export const read = (
  file: SourceFile,
  reader: TypeReader,
  onHash: (contentHash: string) => void = () => undefined
): Effect.Effect<Read, FileUnreadable | FileChanged | TextUnreadable> =>
  Effect.flatMap(bytes(file), (all) => {
    const contentHash = sha256(all)
    onHash(contentHash)
    const here = readingOf(file, all, reader)
    const reading = !("read" in reader) && Apart.isLarge(all, reader) ? Apart.reading(file, all, here) : here
    return Effect.map(reading, ({ blocks, markdown, metadata, warnings = [] }) => ({
      data: { markdown, metadata: metadataOf(file.path, reader.mimeType, metadata) },
      contentHash,
      structure: blocks,
      warnings
    }))
  })
