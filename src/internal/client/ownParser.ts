/** Parsers and steps of the program: what they get, and what is made of their documents and errors. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Foreign } from "../../Outcome.ts"
import { fromData, type ParsedDocument } from "../../ParsedDocument.ts"
import { bytes, type FileChanged, type FileUnreadable, type SourceFile } from "../../SourceFile.ts"
import { sha256 } from "../base/sha256.ts"
import { charged, CurrentFile } from "./currentFile.ts"
import { isParseError, type ParseError } from "./parseError.ts"
import { CurrentRun } from "./runState.ts"

/**
 * A document as a function of your own gives it: its Markdown, and what else it knows. The rest is added: ids, the hash of the bytes where
 * none is given, `origin` `service`.
 *
 * @since 0.1.0
 * @category models
 */
export type Parsed = Pick<ParsedDocument, "markdown"> & Partial<Omit<ParsedDocument, "documentId" | "source">>

/**
 * A change of documents, for `Parser.mapDocument`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Step<E> {
  /** Part of the configuration digest: change it with `f`, and a run with a state chunks stored documents again. */
  readonly name: string
  /** The changed document; ids, hash and origin stay those of the one that it was given. */
  readonly f: (document: ParsedDocument) => Effect.Effect<ParsedDocument, E>
}

const tagIn = (error: object): string | undefined =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : undefined

/** Runs a function of the program; an error of its own becomes `Foreign`, with `name` as its tag where it has none. */
export const typed = <A, E extends { readonly message: string }, R>(
  name: string,
  run: () => Effect.Effect<A, E, R>
): Effect.Effect<A, ParseError, R> =>
  Effect.mapError(Effect.suspend(run), (error): ParseError =>
    isParseError(error)
      ? error
      : new Foreign({ tag: tagIn(error) ?? name, message: error.message, value: error }, { disableValidation: true })
  )

/** Reads the file for a function, and completes the document that it gives; `hash` is run where the function did not read the bytes. */
export const parsedBy = (
  file: SourceFile,
  hash: Effect.Effect<string, FileUnreadable | FileChanged>,
  parse: (bytes: Effect.Effect<Uint8Array, FileUnreadable | FileChanged>) => Effect.Effect<string | Parsed, ParseError>
): Effect.Effect<ParsedDocument, ParseError> =>
  Effect.gen(function* () {
    const known = yield* CurrentFile
    const run = yield* CurrentRun
    let { contentHash } = known
    const all = Effect.tap(bytes(file), (read) =>
      Effect.sync(() => {
        contentHash = sha256(read)
        run?.hashed?.(contentHash)
      })
    )
    const given = yield* charged(
      known,
      Effect.map(parse(all), (given) => (typeof given === "string" ? { markdown: given } : given)),
      ({ metadata = {} }: Parsed) => metadata
    )
    const { blocks, markdown, metadata = {}, pages, ...others } = given
    const found = given.contentHash ?? contentHash ?? (yield* hash)
    const data = { markdown, metadata, ...(pages && { pages }), ...(blocks && { blocks }) }
    return {
      ...fromData(file, found, data),
      ...others,
      contentHash: found,
      documentId: file.documentId,
      source: file.path
    }
  })

/** The document as a step of the program changes it. */
export const changedBy =
  <E extends { readonly message: string }>({ f, name }: Step<E>) =>
  (document: ParsedDocument): Effect.Effect<ParsedDocument, ParseError> =>
    Effect.map(
      typed(name, () => f(document)),
      (changed): ParsedDocument => {
        const { contentHash, documentId, origin, source } = document
        const fits = changed.markdown === document.markdown || changed.structure !== document.structure
        return { ...changed, documentId, source, contentHash, origin, ...(!fits && { structure: undefined }) }
      }
    )
