/** Pictures of figures: a box of a page, cut out of the file that the document was made of. */
import * as Effect from "effect/Effect"
import * as Match from "effect/Match"
import * as Png from "../../engine/Png.ts"
import { FigureError } from "../base/figureError.ts"
import { isPdf } from "../figures/isPdf.ts"
import type * as HitFile from "./hitFile.ts"
import type { HitMissing } from "./hitMissing.ts"
import type * as HitPages from "./hitPages.ts"
import type { Cited } from "./hitSources.ts"

/**
 * The picture of a figure, cut out of its page as it is shown.
 *
 * @since 0.1.0
 * @category models
 */
export interface FigurePicture {
  /** A PNG. */
  readonly bytes: Uint8Array
  readonly mediaType: "image/png"
  /** Pixels; a part of a page that would have more than 12 million is drawn smaller than asked for. */
  readonly width: number
  readonly height: number
  /** 1-based physical page. */
  readonly page: number
  /** `[x0, y0, x1, y1]`, 0 to 1 relative to page width and height. */
  readonly bbox: Png.Box
}

export interface Asked extends Pick<FigurePicture, "bbox" | "page"> {
  /** The document, or a chunk of it, which has to be one of its present ones. */
  readonly of: Cited
  /** Pixels of the picture's width. */
  readonly width: number
}

/** Bounds of the width in pixels. */
export const widths = { least: 16, most: 2400, unnamed: 1000 } as const

const reasonOf = Match.type<HitMissing["reason"]>().pipe(
  Match.when("no-pages", () => "NoPicture" as const),
  Match.when("changed", () => "Changed" as const),
  Match.when("unverified", () => "UnknownDocument" as const),
  Match.orElse(() => "Gone" as const)
)

const isOnPage = ([x0, y0, x1, y1]: Png.Box): boolean => x0 >= 0 && y0 >= 0 && x1 <= 1 && y1 <= 1 && x0 < x1 && y0 < y1

/** Draws the box of the page, from the bytes that were stored. */
export const draw = (
  files: HitFile.HitFiles,
  drawing: HitPages.Drawing,
  { bbox, of, page, width }: Asked
): Effect.Effect<FigurePicture, FigureError> =>
  Effect.gen(function* () {
    const { source } = of
    const refused = (reason: FigureError["reason"], problem: string, cause?: unknown) =>
      new FigureError({ source, page, reason, problem, cause })
    if (!isOnPage(bbox)) {
      const problem = "a box is [x0, y0, x1, y1], 0 to 1 of the page's width and height, with x0 < x1 and y0 < y1"
      return yield* refused("OutsidePage", problem)
    }
    const bytes = yield* Effect.mapError(files.read(of), (missing) =>
      refused(reasonOf(missing.reason), missing.problem, missing)
    )
    if (!isPdf(bytes)) return yield* refused("NoPicture", "the document is no PDF, so its pages are not drawn")
    const drawn = <A>(asked: Effect.Effect<A, HitPages.DrawingFailed>) =>
      Effect.mapError(asked, (error) => refused("NoPicture", `it cannot be drawn (${error.message})`, error))
    if ((yield* drawn(drawing.sizes(bytes, [page]))).length === 0) {
      return yield* refused("OutsidePage", "the document has no such page")
    }
    const png = yield* drawn(drawing.draw(bytes, page, width, bbox))
    return { bytes: png, mediaType: "image/png", ...Png.sizeOf(png), page, bbox }
  })
