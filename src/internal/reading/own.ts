import * as Effect from "effect/Effect"
/** Readers of the user: what they get, and the check of what they give. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { TextBlock } from "../../ParsedDocument.ts"
import { type SourceFile, TextUnreadable } from "../../SourceFile.ts"
import * as flat from "../base/flatMetadata.ts"
import type { Reading } from "./contract.ts"
import { decode } from "./decode.ts"

/** A file as a reader of the user gets it. */
export interface OwnFile {
  /** POSIX path below the root. */
  readonly path: string
  /** All bytes; not to be changed. */
  readonly bytes: Uint8Array
  /**
   * The bytes as text, without a byte order mark, line ends kept; fails with `TextUnreadable` for binary data. A guess of the encoding is
   * a warning of the document.
   */
  readonly text: Effect.Effect<string, TextUnreadable>
}

/** A reader of the user in the form that {@link read} takes. */
export interface OwnReader {
  readonly extension: string
  readonly mimeType: string
  readonly read: (file: OwnFile) => Reading | string | Effect.Effect<Reading | string, { readonly message: string }>
}

const kinds: Readonly<Record<TextBlock["kind"], true>> = {
  heading: true,
  paragraph: true,
  lines: true,
  code: true,
  list: true,
  quote: true,
  table: true,
  markdown: true,
  omitted: true
}

const offset = (value: unknown): number => (typeof value === "number" && Number.isInteger(value) ? value : Number.NaN)

const problemOfBlocks = (blocks: unknown, length: number): string | null => {
  if (!Array.isArray(blocks)) return "blocks is no list"
  let end = 0
  for (const [at, block] of blocks.entries()) {
    if (!Predicate.isRecord(block)) return `blocks[${at}] is no object`
    if (typeof block["kind"] !== "string" || !Object.hasOwn(kinds, block["kind"])) {
      return `blocks[${at}].kind is none of ${Object.keys(kinds).join(", ")}`
    }
    const start = offset(block["start"])
    const stop = offset(block["end"])
    if (!(start >= end && stop >= start && stop <= length)) {
      return `blocks[${at}] is not a span of the text after the block before it: [${String(block["start"])}, ${String(block["end"])})`
    }
    const depth = block["depth"] ?? 1
    if (!(offset(depth) >= 1)) return `blocks[${at}].depth is no integer from 1`
    const path = block["path"] ?? []
    if (!Array.isArray(path) || path.some((each: unknown) => typeof each !== "string")) {
      return `blocks[${at}].path is no list of texts`
    }
    end = stop
  }
  return null
}

const problemOf = (given: unknown): string | null => {
  if (!Predicate.isRecord(given) || typeof given["markdown"] !== "string") {
    return "it gave neither a text nor an object with the text as markdown"
  }
  const { blocks, markdown, metadata, warnings = [] } = given
  const problem = metadata === undefined ? null : flat.problemOf(metadata)
  if (problem !== null) return flat.inWords(problem)
  if (!Array.isArray(warnings) || warnings.some((each: unknown) => typeof each !== "string")) {
    return "warnings is no list of texts"
  }
  return blocks === undefined ? null : problemOfBlocks(blocks, markdown.length)
}

const isReading = (given: unknown): given is Reading => problemOf(given) === null

const messageOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") ? String(cause.message) : String(cause)

/** The failure of a file whose reader threw this, rejected or failed with it. */
export const failedBy = (path: string, cause: unknown): TextUnreadable =>
  cause instanceof TextUnreadable
    ? cause
    : new TextUnreadable({ path, reason: "Reader", problem: messageOf(cause), cause })

/** Runs a reader of the user. What it throws, fails with or gives wrongly is a `TextUnreadable` with the problem. */
export const read = (
  { path }: Pick<SourceFile, "path">,
  bytes: Uint8Array,
  reader: OwnReader
): Effect.Effect<Reading, TextUnreadable> =>
  Effect.suspend(() => {
    const guesses: Array<string> = []
    const text = Effect.flatMap(decode(bytes), (decoded) => {
      if (decoded === null) return new TextUnreadable({ path, reason: "Binary" })
      if (decoded.warning !== null && !guesses.includes(decoded.warning)) guesses.push(decoded.warning)
      return Effect.succeed(decoded.text)
    })
    const failed = (cause: unknown): TextUnreadable => failedBy(path, cause)
    const given = Effect.try({ try: () => reader.read({ path, bytes, text }), catch: failed }).pipe(
      Effect.flatMap((value) => (Effect.isEffect(value) ? Effect.mapError(value, failed) : Effect.succeed(value))),
      Effect.catchAllDefect((defect) => Effect.fail(failed(defect)))
    )
    return Effect.flatMap(given, (value) =>
      Either.map(checked(path, typeof value === "string" ? { markdown: value } : value), (reading) =>
        guesses.length === 0 ? reading : { ...reading, warnings: [...guesses, ...(reading.warnings ?? [])] }
      )
    )
  })

const checked = (path: string, given: unknown): Either.Either<Reading, TextUnreadable> =>
  isReading(given)
    ? Either.right(given)
    : Either.left(new TextUnreadable({ path, reason: "Reader", problem: problemOf(given) ?? "" }))
