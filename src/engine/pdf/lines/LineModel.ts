/**
 * The learned model of lines: which of them belong to one block, and what a paragraph is. Its numbers come from `bench/layout/train.ts`.
 */
import type { TextDraft } from "../Draft.ts"
import type { PageItems } from "../PageItem.ts"
import type { TextLine } from "../TextLine.ts"
import { joins as packedJoins } from "./data/joins.ts"
import { roles as packedRoles } from "./data/roles.ts"
import type { DocumentStyle } from "./DocumentStyle.ts"
import * as DraftFeatures from "./DraftFeatures.ts"
import * as JoinFeatures from "./JoinFeatures.ts"
import * as StructureTags from "./StructureTags.ts"
import * as Trees from "./Trees.ts"

export interface LineModel {
  /** One class: a line continues the block of the line above it. */
  readonly joins: Trees.Trees
  /** Kinds of paragraphs. */
  readonly roles: Trees.Trees
}

let loaded: LineModel | undefined

/** The model that is shipped, unpacked at the first call. */
export const load = (): LineModel => (loaded ??= { joins: Trees.unpack(packedJoins), roles: Trees.unpack(packedRoles) })

/** Least probability at which two lines are joined. */
export const joined = 0.5

/** Distance of two lines, in pitches of their column, from which they are never joined. */
const furthest = 2.2

/** Most lines of a column that says too little about distances and edges. */
const fewLines = 3

/** True for a few lines of one size and weight: the plain rules decide on them. */
const isPlain = (lines: ReadonlyArray<TextLine>): boolean =>
  lines.length <= fewLines &&
  lines.every(({ bold, size }) => bold === lines[0]?.bold && Math.abs(size - (lines[0]?.size ?? size)) <= 0.05 * size)

/** True if a word is divided between two lines of one size and weight. */
const isDivided = (above: TextLine | undefined, below: TextLine | undefined): boolean =>
  above !== undefined &&
  below !== undefined &&
  /\p{Ll}[-\u00ad\u2010]$/u.test(above.text) &&
  /^\p{Ll}{2}/u.test(below.text) &&
  above.bold === below.bold &&
  Math.abs(above.size - below.size) < 0.05 * above.size &&
  below.center - above.center < 2 * above.size

/**
 * For each line of a column but the first, true if it continues the block of the line above it: by the elements of the structure
 * tree if its paragraphs are sound (`tags`), otherwise by the trees. Undefined for a few lines of one style.
 */
export const joinsOf =
  (trees: Trees.Trees, document: DocumentStyle, tags: boolean) =>
  (of: JoinFeatures.Column, page: Pick<PageItems, "tagged">): ReadonlyArray<boolean> | undefined => {
    if (!tags && isPlain(of.lines)) return undefined
    const elements = of.lines.map((line) => (tags ? StructureTags.ofLines([line], page.tagged)?.element : undefined))
    return JoinFeatures.ofColumn(of, document).map((values, at) => {
      const [above, below] = elements.slice(at, at + 2)
      if (above !== undefined && below !== undefined) return above === below
      const distance = (of.lines[at + 1]?.center ?? 0) - (of.lines[at]?.center ?? 0)
      if (distance > furthest * Math.max(of.pitch, of.lines[at]?.size ?? 0)) return false
      if (isDivided(of.lines[at], of.lines[at + 1])) return true
      return (Trees.probabilities(trees, values)[0] ?? 0) >= joined
    })
  }

/** Probabilities of the kinds of a paragraph. */
export interface Kinds {
  /** The most probable kind. */
  readonly kind: string
  readonly of: (kind: string) => number
}

/** Kinds of all texts of a document. */
export const kindsOf = (
  trees: Trees.Trees,
  pages: ReadonlyArray<DraftFeatures.Page>,
  document: DocumentStyle
): ReadonlyMap<TextDraft, Kinds> => {
  const found = new Map<TextDraft, Kinds>()
  for (const [draft, values] of DraftFeatures.ofDocument(pages, document)) {
    const chances = Trees.probabilities(trees, values)
    const best = chances.indexOf(Math.max(...chances))
    found.set(draft, {
      kind: trees.classes[best] ?? "text",
      of: (kind) => chances[trees.classes.indexOf(kind)] ?? 0
    })
  }
  return found
}
