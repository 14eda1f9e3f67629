/** Cases to learn from: pairs of neighbouring lines, and paragraphs, each with its label. */
import * as Composition from "../../src/engine/pdf/Composition.ts"
import type { TextDraft } from "../../src/engine/pdf/Draft.ts"
import * as DraftFeatures from "../../src/engine/pdf/lines/DraftFeatures.ts"
import * as JoinFeatures from "../../src/engine/pdf/lines/JoinFeatures.ts"
import type * as PageLayout from "../../src/engine/pdf/PageLayout.ts"
import type * as Paragraph from "../../src/engine/pdf/Paragraph.ts"
import type { TextLine } from "../../src/engine/pdf/TextLine.ts"
import type { Case } from "./trainBoost.ts"
import type { Learned } from "./trainDocuments.ts"
import { kinds, labelsOf, type Kind, type Label } from "./trainTruth.ts"

/** Pages as they are laid out, with the columns of their lines. */
interface Observed {
  readonly pages: ReadonlyArray<PageLayout.LaidOut>
  readonly columns: ReadonlyArray<Paragraph.Column>
  readonly labels: ReadonlyMap<TextLine, Label>
}

export const observe = ({ pages, truth }: Learned, joins: PageLayout.Joins | undefined): Observed => {
  const columns: Array<Paragraph.Column> = []
  const watched: PageLayout.Joins = (of, page) => {
    columns.push(of)
    return joins === undefined ? of.lines.slice(1).map(() => false) : joins(of, page)
  }
  const laidOut = Composition.layOut(pages, Composition.styleOf(pages), watched)
  return { pages: laidOut, columns, labels: labelsOf(laidOut, truth) }
}

/** Weight of a case: documents of many lines do not outweigh the others. */
const weightIn = (cases: number): number => Math.min(1, 12 / Math.sqrt(Math.max(1, cases)))

export const joinCases = (learned: Learned): ReadonlyArray<Case> => {
  const { columns, labels } = observe(learned, undefined)
  const document = Composition.styleOf(learned.pages)
  const found: Array<Omit<Case, "weight">> = []
  for (const column of columns) {
    const features = JoinFeatures.ofColumn(column, document)
    features.forEach((values, at) => {
      const [above, below] = column.lines.slice(at, at + 2).map((line) => labels.get(line))
      if (above === undefined || below === undefined) return
      // Lines of tables that were not seen, and of running lines, may be parted in any way.
      if (above.block === below.block && (above.block < 0 || above.kind === "table")) return
      found.push({ values, label: above.block === below.block ? 1 : 0 })
    })
  }
  const weight = weightIn(found.length)
  return found.map(({ label, values }) => ({ values, label, weight }))
}

/** A paragraph with its label and features. */
export interface LabelledDraft {
  readonly draft: TextDraft
  readonly page: number
  readonly kind: Kind
  readonly level: number
  readonly values: Case["values"]
}

/** Label of most of the characters of a paragraph; undefined when less than 60 % have it. */
const labelOf = (draft: TextDraft, labels: ReadonlyMap<TextLine, Label>): Label | undefined => {
  const counts = new Map<Kind, number>()
  const firsts = new Map<Kind, Label>()
  let all = 0
  for (const line of draft.lines) {
    all += line.text.length
    const label = labels.get(line)
    if (label === undefined) continue
    counts.set(label.kind, (counts.get(label.kind) ?? 0) + line.text.length)
    if (!firsts.has(label.kind)) firsts.set(label.kind, label)
  }
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one)
  return best === undefined || best[1] < all * 0.6 ? undefined : firsts.get(best[0])
}

export const labelledDrafts = (learned: Learned, joins: PageLayout.Joins | undefined): ReadonlyArray<LabelledDraft> => {
  const { pages, labels } = observe(learned, joins)
  const features = DraftFeatures.ofDocument(pages, Composition.styleOf(learned.pages))
  return pages.flatMap(({ drafts, page }) =>
    drafts.flatMap((draft) => {
      if (draft.kind !== "text") return []
      const label = labelOf(draft, labels)
      const values = features.get(draft)
      return label === undefined || values === undefined
        ? []
        : [{ draft, page: page.pageNumber, kind: label.kind, level: label.level, values }]
    })
  )
}

export const roleCases = (drafts: ReadonlyArray<LabelledDraft>): ReadonlyArray<Case> => {
  const weight = weightIn(drafts.length)
  return drafts.map(({ kind, values }) => ({ values, label: kinds.indexOf(kind), weight }))
}
