/** The models next to the rules on the same documents: pairs of lines, kinds of paragraphs, headings by their texts and levels. */
import * as Composition from "../../src/engine/pdf/Composition.ts"
import * as LineModel from "../../src/engine/pdf/lines/LineModel.ts"
import * as Trees from "../../src/engine/pdf/lines/Trees.ts"
import * as Role from "../../src/engine/pdf/Role.ts"
import type { Learned } from "./trainDocuments.ts"
import { joinCases, labelledDrafts } from "./trainSamples.ts"
import { type Kind, kinds, wordsOf } from "./trainTruth.ts"

const percent = (share: number): number => Math.round(share * 1000) / 10

const mean = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? 0 : percent(values.reduce((sum, each) => sum + each, 0) / values.length)

/** Type of a block as it is answered. */
const typeOf = (kind: string): string =>
  kind === "heading" ? "section_header" : ["title", "caption", "formula"].includes(kind) ? kind : "text"

const dice = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of right) {
    const rest = counts.get(word) ?? 0
    if (rest > 0) {
      shared++
      counts.set(word, rest - 1)
    }
  }
  return (2 * shared) / Math.max(1, left.length + right.length)
}

interface Heading {
  readonly text: string
  readonly level: number
}

/** F1 of headings by their texts, and the share of moves between levels that agree; undefined when the truth has no headings. */
const headingScore = (
  expected: ReadonlyArray<Heading>,
  found: ReadonlyArray<Heading>
): { readonly f1: number; readonly levels: number | undefined } | undefined => {
  const wanted = expected.filter(({ text }) => wordsOf(text).length > 0)
  if (wanted.length === 0) return undefined
  const open = found.map((each) => ({ words: wordsOf(each.text), level: each.level }))
  const pairs: Array<readonly [number, number]> = []
  for (const { level, text } of wanted) {
    const at = open.findIndex(({ words }) => dice(wordsOf(text), words) >= 0.75)
    const [hit] = at < 0 ? [] : open.splice(at, 1)
    if (hit !== undefined) pairs.push([level, hit.level])
  }
  const agreeing = pairs.filter(([level, other], at) => {
    const [before = 0, beforeOther = 0] = pairs[at - 1] ?? []
    return at > 0 && Math.sign(level - before) === Math.sign(other - beforeOther)
  })
  return {
    f1: (2 * pairs.length) / (wanted.length + found.length),
    levels: pairs.length < 2 ? undefined : agreeing.length / (pairs.length - 1)
  }
}

/** Precision and recall of each kind that is answered as a type of its own. */
const kindsIn = (pairs: ReadonlyArray<{ readonly kind: Kind; readonly found: string }>) =>
  Object.fromEntries(
    kinds.map((kind) => {
      const both = pairs.filter((pair) => pair.kind === kind && pair.found === kind).length
      const found = pairs.filter((pair) => pair.found === kind).length
      const real = pairs.filter((pair) => pair.kind === kind).length
      return [kind, `${percent(both / Math.max(1, found))} ${percent(both / Math.max(1, real))} (${real})`]
    })
  )

/** Figures of a model over documents, in percent. */
export const compare = (all: ReadonlyArray<Learned>, model: LineModel.LineModel) => {
  const pairs = all.flatMap(joinCases)
  const right = pairs.filter(
    ({ label, values }) => (Trees.probabilities(model.joins, values)[0] ?? 0) >= 0.5 === (label === 1)
  )
  const scores: Array<number> = []
  const levels: Array<number> = []
  const kinds: Array<{ readonly kind: Kind; readonly found: string; readonly type: string }> = []
  for (const each of all) {
    const style = Composition.styleOf(each.pages)
    const joins = LineModel.joinsOf(model.joins, style, false)
    const pages = Composition.layOut(each.pages, style, joins)
    const found = LineModel.kindsOf(model.roles, pages, style)
    const roles = Role.assign(pages, { style, kinds: found, bookmarks: [], tags: false })
    const headings = [...roles].flatMap(([draft, role]) =>
      "level" in role ? [{ text: draft.text, level: role.level, draft }] : []
    )
    const order = pages.flatMap(({ drafts }) => drafts)
    const score = headingScore(
      each.truth.blocks
        .filter(({ type }) => type === "title" || type === "section_header")
        .map(({ level = 1, text }) => ({ text, level })),
      headings.toSorted((left, other) => order.indexOf(left.draft) - order.indexOf(other.draft))
    )
    if (score !== undefined) scores.push(score.f1)
    if (score?.levels !== undefined) levels.push(score.levels)
    for (const { kind, values } of labelledDrafts(each, joins)) {
      const chances = Trees.probabilities(model.roles, values)
      const best = model.roles.classes[chances.indexOf(Math.max(...chances))] ?? "text"
      kinds.push({ kind, found: best, type: typeOf(best) })
    }
  }
  return {
    pairs: percent(right.length / Math.max(1, pairs.length)),
    types: percent(kinds.filter(({ kind, type }) => typeOf(kind) === type).length / Math.max(1, kinds.length)),
    headings: mean(scores),
    levels: mean(levels),
    kinds: kindsIn(kinds)
  }
}
