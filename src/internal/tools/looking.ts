/** The tools `look` and `status`. */
import * as Effect from "effect/Effect"
import type { Box } from "../../engine/Png.ts"
import * as Fence from "./fence.ts"
import type { Settings } from "./settings.ts"
import * as ToolErrors from "./toolError.ts"

export interface Asked {
  readonly source: string
  readonly page: number
  readonly boxes?: ReadonlyArray<Box> | undefined
  readonly chunk?: string | undefined
  readonly figure?: Box | undefined
  readonly width?: number | undefined
}

const defaults = { width: 1000 } as const

export const look =
  ({ documents, pictures }: Settings) =>
  ({ boxes = [], chunk, figure, page, source, width = defaults.width }: Asked) =>
    Effect.gen(function* () {
      const document = yield* documents.find(source)
      const passage = document.passages.find(({ id }) => id === chunk)
      if (chunk !== undefined && passage === undefined) {
        return yield* ToolErrors.make(
          "UnknownPlace",
          "The document has no such passage.",
          "Take `chunk` from search or outline, or give boxes instead."
        )
      }
      const own = (passage?.boxes ?? []).flatMap((box) => (box.page === page ? [box.bbox] : []))
      const drawn = figure === undefined ? [...boxes, ...own] : [figure]
      const image = yield* pictures.draw(document, { page, width, boxes: drawn, figure })
      const { source: path } = document
      return { notice: Fence.make().notice, source: path, page, boxes: drawn, mimeType: "image/png" as const, image }
    })

/** Folders of roots by their names: those of the options, else those of the state. */
export const rootsOf = ({ corpus, roots }: Pick<Settings, "corpus" | "roots">) =>
  roots.size > 0
    ? Effect.succeed(roots)
    : Effect.map(
        ToolErrors.ofCorpus(corpus.status),
        (found) =>
          new Map(
            found.roots.flatMap(({ name, path }): Array<[string, string]> => (path === null ? [] : [[name, path]]))
          )
      )

export const status =
  ({ corpus, documents, roots, scope, write }: Settings) =>
  () =>
    Effect.gen(function* () {
      // Under a filter, numbers would tell of what it hides.
      const filtered = scope.condition !== undefined
      const all = filtered ? null : yield* Effect.catchTag(documents.all, "ToolError", empty)
      return {
        documents: all?.length ?? null,
        passages: all?.reduce((sum, { chunks }) => sum + chunks, 0) ?? null,
        filtered,
        writable: write,
        roots: write ? [...(yield* rootsOf({ corpus, roots })).keys()] : [],
        failures: write ? (yield* ToolErrors.ofCorpus(corpus.failures)).length : null
      }
    })

const empty = (error: ToolErrors.ToolError) => (error.reason === "NothingStored" ? Effect.succeed([]) : error)
