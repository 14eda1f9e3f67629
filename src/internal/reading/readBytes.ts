/** Reads the bytes of a text type on the thread that asks: encoding, format. Needs nothing of Node. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type SourceFile, TextUnreadable } from "../../SourceFile.ts"
import type { ParseData } from "../base/parseResponse.ts"
import type { Format, FormatReader, Reading } from "./contract.ts"
import { decode } from "./decode.ts"
import type { OwnReader } from "./own.ts"
import * as own from "./own.ts"
import { reading as plain } from "./plain.ts"

/** The reader of a type: a built-in format, or a reader of the user. */
export type TypeReader = Format | OwnReader

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Names that the answers of the service use, and what a run reads from them. */
const reserved: ReadonlySet<string> = new Set(
  "sourceURL url statusCode numPages totalPages contentType error concurrencyLimited concurrencyQueueDurationMs creditsUsed".split(
    " "
  )
)

/** Metadata of a document, as an answer of the service has them. */
export const metadataOf = (path: string, mimeType: string, given: Reading["metadata"] = {}): ParseData["metadata"] => {
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
