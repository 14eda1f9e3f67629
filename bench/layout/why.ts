/** Why a paragraph is what it is: its kind, the probability, and the features that decided; for each line, if it continues the one above. */
import { readFileSync } from "node:fs"
import * as Composition from "../../src/engine/pdf/Composition.ts"
import * as DraftFeatures from "../../src/engine/pdf/lines/DraftFeatures.ts"
import * as JoinFeatures from "../../src/engine/pdf/lines/JoinFeatures.ts"
import * as LineModel from "../../src/engine/pdf/lines/LineModel.ts"
import * as Trees from "../../src/engine/pdf/lines/Trees.ts"
import type * as PageLayout from "../../src/engine/pdf/PageLayout.ts"
import type { TextLine } from "../../src/engine/pdf/TextLine.ts"
import { contributions } from "./contributions.ts"
import * as Pdf from "./pdf.ts"

/** Features that are named. */
const most = 5

const decided = (trees: Trees.Trees, values: Float64Array, ofClass: number): string =>
  contributions(trees, values, ofClass)
    .slice(0, most)
    .map(
      ({ feature, share, value }) => `${feature}=${Number(value.toFixed(2))} ${share > 0 ? "+" : ""}${share.toFixed(2)}`
    )
    .join(", ")

const percent = (chance: number): string => `${Math.round(100 * chance)} %`

/** Lines of text about each paragraph of a document, or of one of its pages (1-based). */
export const why = async (file: string, only: number | undefined): Promise<ReadonlyArray<string>> => {
  const pages = await Pdf.pages(readFileSync(file))
  const model = LineModel.load()
  const style = Composition.styleOf(pages)
  const reasons = new Map<TextLine, string>()
  const joins: PageLayout.Joins = (column) => {
    const chances = JoinFeatures.ofColumn(column, style).map((values, at) => {
      const [chance = 0] = Trees.probabilities(model.joins, values)
      const line = column.lines[at + 1]
      if (line !== undefined) reasons.set(line, `joined ${percent(chance)}: ${decided(model.joins, values, 0)}`)
      return chance
    })
    return chances.map((chance) => chance >= LineModel.joined)
  }
  const laidOut = Composition.layOut(pages, style, joins)
  const features = DraftFeatures.ofDocument(laidOut, style)
  return laidOut.flatMap(({ drafts, page }) =>
    only !== undefined && page.pageNumber !== only
      ? []
      : drafts.flatMap((draft) => {
          const values = draft.kind === "text" ? features.get(draft) : undefined
          if (draft.kind !== "text" || values === undefined) return [`p${page.pageNumber} ${draft.kind}`]
          const chances = Trees.probabilities(model.roles, values)
          const [first = 0, second = 0] = [...chances.keys()].toSorted(
            (one, other) => (chances[other] ?? 0) - (chances[one] ?? 0)
          )
          const name = (at: number) => `${model.roles.classes[at]} ${percent(chances[at] ?? 0)}`
          return [
            `p${page.pageNumber} ${name(first)}, ${name(second)}: ${decided(model.roles, values, first)}`,
            ...draft.lines.flatMap((line) => [
              `    ${line.text.slice(0, 100)}`,
              ...(reasons.has(line) ? [`        ${reasons.get(line)}`] : [])
            ])
          ]
        })
  )
}
