/** Pictures, which are asked for as PDFs that show them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { bytes, make, rootOf, type SourceFile, TextUnreadable } from "../../SourceFile.ts"
import { CurrentFile } from "./currentFile.ts"
import type { ParseError } from "./parseError.ts"

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The document of a picture. Its hash is that of the PDF, by which its answer is cached. */
export const askForPicture = (
  file: SourceFile,
  ask: (file: SourceFile) => Effect.Effect<ParsedDocument, ParseError>
): Effect.Effect<ParsedDocument, ParseError> =>
  Effect.gen(function* () {
    const { toPdf } = yield* Effect.promise(() => import("../reading/picture/picture.ts"))
    const pdf = toPdf(yield* bytes(file))
    if (Either.isLeft(pdf)) return yield* new TextUnreadable({ path: file.path, reason: "Reader", problem: pdf.left })
    const all = pdf.right
    const shown = {
      ...make({ root: rootOf(file), path: `${file.path}.pdf`, size: all.length, open: Stream.make(all) }),
      documentId: file.documentId
    }
    const known = yield* CurrentFile
    const document = yield* Effect.provideService(ask(shown), CurrentFile, { ...known, contentHash: undefined })
    return { ...document, source: file.path, metadata: { ...document.metadata, sourceURL: baseName(file.path) } }
  })
