/** Labels of lines: the words of the truth are aligned with those of the lines, in reading order. */
import { readFileSync } from "node:fs"
import type { LaidOut } from "../../src/engine/pdf/PageLayout.ts"
import type { TextLine } from "../../src/engine/pdf/TextLine.ts"
import { decode, type Truth } from "./truth.ts"

/** The truth's block that a line belongs to. */
export interface Label {
  readonly block: number
  readonly kind: Kind
  readonly level: number
}

/** Classes of lines. */
export const kinds = [
  "text",
  "title",
  "heading",
  "caption",
  "formula",
  "footnote",
  "list",
  "code",
  "contents",
  "table",
  "furniture"
] as const
export type Kind = (typeof kinds)[number]

export const readTruth = (file: string): Truth => decode(readFileSync(file, "utf8"))

export const kindOf = ({ role, type }: Truth["blocks"][number]): Kind => {
  if (type === "title") return "title"
  if (type === "section_header") return "heading"
  if (type === "figure") return "table"
  if (type !== "text") return type
  return role === "list_item" ? "list" : role === "code" || role === "contents" ? role : "text"
}

const word = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\p{L}\p{N}\p{M}]+/gu

export const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFKC")
    .replace(/\u00ad/gu, "")
    .toLowerCase()
    .match(word) ?? []

/** Largest number of differences that are aligned; documents with more are left out. */
const mostDifferences = 6000

/**
 * For each word on the left the index of its partner on the right, or -1: a longest common subsequence (Myers). Undefined when the texts
 * differ too much.
 */
export const align = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): Int32Array | undefined => {
  const most = Math.min(mostDifferences, left.length + right.length)
  const offset = most + 1
  const reach = new Int32Array(2 * most + 3)
  const history: Array<Int32Array> = []
  let found = -1
  for (let d = 0; d <= most && found < 0; d++) {
    history.push(reach.slice(offset - d - 1, offset + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach[offset + k - 1] ?? 0) < (reach[offset + k + 1] ?? 0))
      let x = down ? (reach[offset + k + 1] ?? 0) : (reach[offset + k - 1] ?? 0) + 1
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x++
      reach[offset + k] = x
      if (x >= left.length && x - k >= right.length) {
        found = d
        break
      }
    }
  }
  if (found < 0) return undefined
  const pairs = new Int32Array(left.length).fill(-1)
  let x = left.length
  let y = right.length
  for (let d = found; d >= 0; d--) {
    const before = history[d] ?? new Int32Array()
    const at = (k: number): number => before[k + d + 1] ?? 0
    const k = x - y
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const from = down ? k + 1 : k - 1
    const fromX = d === 0 ? 0 : at(from)
    const startX = d === 0 ? 0 : down ? fromX : fromX + 1
    while (x > startX) {
      x--
      y--
      pairs[x] = y
    }
    x = fromX
    y = fromX - from
  }
  return pairs
}

/** Least share of a line's words that are found in one block. */
const enough = 0.6

/** Labels of the lines of a document. Lines of furniture are those with the text of a running line of their page. */
export const labelsOf = (pages: ReadonlyArray<LaidOut>, truth: Truth): ReadonlyMap<TextLine, Label> => {
  const labels = new Map<TextLine, Label>()
  const running = new Set(truth.furniture.map(({ page, text }) => `${page} ${wordsOf(text).join(" ")}`))
  const words: Array<string> = []
  const owners: Array<TextLine | undefined> = []
  const put = (text: string, owner: TextLine | undefined): void => {
    for (const each of wordsOf(text)) {
      words.push(each)
      owners.push(owner)
    }
  }
  for (const { drafts, page } of pages) {
    for (const draft of drafts) {
      if (draft.kind === "table") for (const row of draft.rows) for (const cell of row) put(cell, undefined)
      else if (draft.kind === "code") for (const line of draft.lines) put(line, undefined)
      else if (draft.kind === "text") {
        for (const line of draft.lines) {
          if (running.has(`${page.pageNumber} ${wordsOf(line.text).join(" ")}`)) {
            labels.set(line, { block: -1, kind: "furniture", level: 0 })
          } else put(line.text, line)
        }
      }
    }
  }
  const expected: Array<string> = []
  const blocks: Array<number> = []
  truth.blocks.forEach((block, at) => {
    for (const each of wordsOf(`${block.marker ?? ""} ${block.text}`)) {
      expected.push(each)
      blocks.push(at)
    }
  })
  const pairs = align(words, expected)
  if (pairs === undefined) return labels
  const votes = new Map<TextLine, Map<number, number>>()
  const counts = new Map<TextLine, number>()
  pairs.forEach((partner, at) => {
    const owner = owners[at]
    if (owner === undefined) return
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const block = partner < 0 ? undefined : blocks[partner]
    if (block === undefined) return
    const own = votes.get(owner) ?? new Map<number, number>()
    own.set(block, (own.get(block) ?? 0) + 1)
    votes.set(owner, own)
  })
  for (const [line, own] of votes) {
    const [best] = [...own].toSorted(([, one], [, other]) => other - one)
    const block = best === undefined ? undefined : truth.blocks[best[0]]
    if (best === undefined || block === undefined || best[1] < (counts.get(line) ?? 1) * enough) continue
    labels.set(line, { block: best[0], kind: kindOf(block), level: block.level ?? 0 })
  }
  return labels
}
