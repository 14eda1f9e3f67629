/** Pictures of pages, drawn one at a time and kept for a while. */
import * as Effect from "effect/Effect"
import type { PageDrawing } from "../../engine/PageDrawing.ts"
import { bounds } from "./bounds.ts"
import * as Refused from "./refused.ts"
import type { Upload } from "./uploads.ts"
import { WeighedCache } from "./weighedCache.ts"

/** Bounds of the width of a picture in pixels. */
export const widths = { least: 200, most: 2400, unnamed: 1000 } as const

/** The width that a request asks for, within the bounds. */
export const widthOf = (text: string | null): number => {
  const asked = text === null || text === "" ? Number.NaN : Number(text)
  return Number.isFinite(asked) ? Math.max(widths.least, Math.min(widths.most, Math.round(asked))) : widths.unnamed
}

export interface Pictures {
  /** A PNG of a page. */
  readonly of: (upload: Upload, page: number, width: number) => Effect.Effect<Uint8Array, Refused.Refused>
  /** Forgets the pictures of a file. */
  readonly forget: (id: string) => void
}

export const make = (drawing: PageDrawing): Pictures => {
  const kept = new WeighedCache<Uint8Array>(bounds.pictures)
  /** Keys of the pictures of each file. */
  const keys = new Map<string, Set<string>>()
  return {
    of: ({ content, id }, page, width) =>
      Effect.suspend(() => {
        const key = `${id} ${page} ${width}`
        const known = kept.get(key)
        if (known !== undefined) return Effect.succeed(known)
        return drawing.draw(content, page, width).pipe(
          Effect.mapError(Refused.ofDrawing),
          Effect.tap((png) => {
            kept.set(key, png, png.length)
            keys.set(id, (keys.get(id) ?? new Set()).add(key))
          })
        )
      }),
    forget: (id) => {
      for (const key of keys.get(id) ?? []) kept.delete(key)
      keys.delete(id)
    }
  }
}
