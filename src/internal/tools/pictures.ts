/** Pages of documents as pictures, as far as their files are at hand. */
import * as Effect from "effect/Effect"
import type * as EffectScope from "effect/Scope"
import * as PageDrawing from "../../engine/PageDrawing.ts"
import { type Box, boxed } from "../../engine/Png.ts"
import type { FigureError } from "../base/figureError.ts"
import * as Figure from "../look/figure.ts"
import * as HitFile from "../look/hitFile.ts"
import * as HitPages from "../look/hitPages.ts"
import type { Document } from "./documents.ts"
import * as ToolErrors from "./toolError.ts"

/** Where the files of documents are. */
export interface Files {
  /** Folders of roots by their names; they win over those that the state knows. */
  readonly roots: ReadonlyMap<string, string>
  /** The state of the run that filled the store, a folder or an address; null for none. */
  readonly state: string | null
}

export interface Asked {
  readonly page: number
  readonly width: number
  readonly boxes: ReadonlyArray<Box>
  /** The part of the page to draw alone, without boxes; default all of it. */
  readonly figure?: Box | undefined
}

export interface Pictures {
  /** A PNG of the page with the boxes on it; none of a page with a passage that may not be seen. */
  readonly draw: (document: Document, asked: Asked) => Effect.Effect<Uint8Array, ToolErrors.ToolError>
}

/** Documents whose pages are drawn at a time: each is held in memory. */
const drawings = 2

const notDrawn = ({ problem }: { readonly problem: string }): ToolErrors.ToolError =>
  ToolErrors.make("NoPicture", problem, "Read the page as text instead, with read.")

const ofFigure = (error: FigureError): ToolErrors.ToolError =>
  error.reason === "OutsidePage"
    ? ToolErrors.make(
        "Arguments",
        `It is not on the page: ${error.problem}.`,
        "Give another box, or none for the page."
      )
    : notDrawn(error)

/** A child process draws; it starts with the first picture and ends with the scope. */
export const make = (files: Files): Effect.Effect<Pictures, never, EffectScope.Scope> =>
  Effect.gen(function* () {
    const drawing = yield* PageDrawing.make
    const found = yield* HitFile.make(files)
    const turns = yield* Effect.makeSemaphore(drawings)
    return {
      draw: ({ hidden, passages }, { boxes, figure, page, width }) =>
        Effect.gen(function* () {
          const chunk = passages.find((one) => one.pages.includes(page))
          if (chunk === undefined) {
            return yield* ToolErrors.make(
              "UnknownPlace",
              `No passage of the document is on page ${page}.`,
              "Take a page from outline, search or verify; documents without pages have no pictures."
            )
          }
          if (hidden.has(page)) {
            return yield* ToolErrors.make(
              "NoPicture",
              "The server shows this page in part only, so not as a picture.",
              "Read the page as text instead, with read."
            )
          }
          if (figure !== undefined) {
            const asked = { of: chunk, page, bbox: figure, width }
            return (yield* Effect.mapError(Figure.draw(found, drawing, asked), ofFigure)).bytes
          }
          const png = yield* Effect.mapError(HitPages.picture(found, drawing, { chunk, page, width }), notDrawn)
          return yield* Effect.try({
            try: () => boxed(png, boxes),
            catch: () => ToolErrors.make("NoPicture", "The boxes cannot be drawn.", "Call look without boxes.")
          })
        }).pipe(turns.withPermits(1))
    }
  })
