/** Pages of hits: their numbers, their sizes, and their pictures with nothing drawn on them. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Box } from "../../engine/Png.ts"
import { isPdf } from "../figures/isPdf.ts"
import type * as HitFile from "./hitFile.ts"
import { HitMissing, noPicture } from "./hitMissing.ts"
import type { Cited } from "./hitSources.ts"
import type { HitPage, HitView } from "./messages.ts"

/** Draws pages of PDFs whose bytes are given. */
export interface Drawing {
  /** Sizes of these pages as they are shown, in points, in order; those that cannot be read are left out. */
  readonly sizes: (
    bytes: Uint8Array,
    pages: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<HitPage>, DrawingFailed>
  /** A PNG of the page, or of the part of it in a box, as wide as asked for. */
  readonly draw: (bytes: Uint8Array, page: number, width: number, box?: Box) => Effect.Effect<Uint8Array, DrawingFailed>
}

/** The file cannot be drawn, with the reason in one sentence. */
export interface DrawingFailed {
  readonly message: string
}

export type Paged = Cited & Pick<DocumentChunk, "boxes" | "pages">

/** A page as large as a sheet of A4. */
const sheetOf = (number: number): HitPage => ({ number, width: 595.28, height: 841.89 })

/** Pages on which the chunk has boxes, else those that it touches. */
export const numbersOf = ({ boxes, pages }: Paged): ReadonlyArray<number> => {
  const boxed = new Set(boxes.map(({ page }) => page))
  return [...(boxed.size > 0 ? boxed : new Set(pages))].toSorted((left, right) => left - right)
}

/** The pages of the chunk as sheets of A4. */
export const sheets = (chunk: Paged): ReadonlyArray<HitPage> => numbersOf(chunk).map(sheetOf)

/** Fails for a chunk whose place in its document is no page. */
export const paged = (chunk: Paged): Effect.Effect<void, HitMissing> =>
  numbersOf(chunk).length > 0
    ? Effect.void
    : new HitMissing({
        reason: "no-pages",
        problem: `${chunk.source} has no pages, or nothing tells on which of them the passage is.`,
        remedy: null
      })

/** The pages with their sizes, from the document's file as far as it can be used. */
export const view = (files: HitFile.HitFiles, drawing: Drawing, chunk: Paged): Effect.Effect<HitView> =>
  pdf(files, chunk).pipe(
    Effect.flatMap((bytes) => drawn(chunk, drawing.sizes(bytes, numbersOf(chunk)))),
    Effect.map((sizes) => {
      const known = new Map(sizes.map((size) => [size.number, size]))
      return { pages: sheets(chunk).map((page) => known.get(page.number) ?? page), missing: null }
    }),
    Effect.catchAll((missing) => Effect.succeed({ pages: sheets(chunk), missing: noPicture(missing) }))
  )

/** A PNG of a page of the chunk. */
export const picture = (
  files: HitFile.HitFiles,
  drawing: Drawing,
  { chunk, page, width }: { readonly chunk: Paged; readonly page: number; readonly width: number }
): Effect.Effect<Uint8Array, HitMissing> =>
  Effect.flatMap(pdf(files, chunk), (bytes) => drawn(chunk, drawing.draw(bytes, page, width)))

/** The bytes of the document, verified, if its pages can be drawn. */
const pdf = (files: HitFile.HitFiles, chunk: Paged): Effect.Effect<Uint8Array, HitMissing> =>
  paged(chunk).pipe(
    Effect.zipRight(files.read(chunk)),
    Effect.filterOrFail(isPdf, () => noPictures(chunk))
  )

const drawn = <A>(chunk: Paged, drawing: Effect.Effect<A, DrawingFailed>): Effect.Effect<A, HitMissing> =>
  Effect.mapError(drawing, (error) => undrawable(chunk, error))

const noPictures = ({ source }: Paged): HitMissing =>
  new HitMissing({ reason: "no-pages", problem: `${source} is of a type whose pages are not drawn.`, remedy: null })

const undrawable = ({ source }: Paged, { message }: DrawingFailed): HitMissing =>
  new HitMissing({ reason: "not-readable", problem: `${source} cannot be drawn (${message}).`, remedy: null })
