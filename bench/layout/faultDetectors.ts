/** Detectors of faults in the text of a parsed PDF. Each works on the answer and the text layer only, not on the code under test. */
import type { Composition } from "../../src/engine/pdf/Composition.ts"
import type { Item, PageItems } from "../../src/engine/pdf/PageItem.ts"
import type { Block } from "../../src/internal/base/parseResponse.ts"

export interface Subject {
  /** The text layer. */
  readonly pages: ReadonlyArray<PageItems>
  readonly composition: Composition
}

/** One text per occurrence of a fault. */
export type Found = ReadonlyArray<string>

export interface Detector {
  readonly name: string
  readonly find: (subject: Subject) => Found
}

const furniture = new Set(["page_header", "page_footer", "page_number"])

const isBody = (block: Block): boolean => !furniture.has(block.type) && block.content !== ""

const isProse = (block: Block): boolean =>
  block.type === "text" && !/^\s*(?:- |\d{1,3}[.)] |```)/.test(block.content) && block.content.length > 3

/** Text without Markdown's escapes, link addresses and table rules. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\]\((?:https?|mailto|ftp|tel):(?:[^()\s]|\\.)*\)/gi, "]")
    .replace(/^\|(?: --- \|)+$/gm, "")
    .replace(/\\(?=[^\p{L}\p{N}\s])/gu, "")

const short = (text: string, from: "start" | "end"): string =>
  from === "start" ? text.slice(0, 50).replace(/\s+/g, " ") : text.slice(-50).replace(/\s+/g, " ")

/** True for prose that ends within a sentence. */
const isOpen = (text: string): boolean => text.length > 40 && /[\p{L}\p{N},\u00ad\u2010-]$/u.test(text.trimEnd())

/** True for a text that begins within a sentence: in lower case, or with a figure that is no number of an item or a heading. */
const startsWithin = (text: string): boolean => startsLow(text) || /^\(?[\d.,%]+\)?,? \p{Ll}{2}/u.test(text.trimStart())

const startsLow = (text: string): boolean => /^\p{Ll}[\p{L}\s,;.’'-]/u.test(text.trimStart())

/** The items of a page within a block, those of its last line only. */
const lastLine = (block: Block, page: PageItems): ReadonlyArray<Item> => {
  const box = block.bbox
  if (box === null || page.turn !== 0) return []
  const own = page.items.filter((item) => {
    const x = (item.box.x0 + item.box.x1) / 2 / page.width
    const y = (item.box.y0 + item.box.y1) / 2 / page.height
    return x > box[0] && x < box[2] && y > box[1] && y < box[3]
  })
  const bottom = Math.max(...own.map((item) => item.box.y1))
  return own
    .filter((item) => item.box.y1 > bottom - item.size * 0.6)
    .toSorted((left, right) => left.box.x0 - right.box.x0)
}

/** True if the last line of a block runs to the right edge of the column, which the next block shares, and is no row of columns. */
const runsToTheEdge = (block: Block, next: Block, page: PageItems): boolean => {
  const line = lastLine(block, page)
  const end = Math.max(...line.map((item) => item.box.x1)) / page.width
  const [left, right] = [block.bbox?.[0] ?? 0, block.bbox?.[2] ?? 1]
  const below = next.bbox ?? [0, 0, 1, 1]
  const edge = below[0] < right && below[2] > left ? Math.max(right, below[2]) : right
  const gappy = line.some((item, at) => item.box.x0 - (line[at - 1]?.box.x1 ?? item.box.x0) > item.size * 2)
  return end > edge - (edge - left) * 0.15 && !gappy
}

const cutsIn = ({ composition, pages }: Subject): Found =>
  composition.blocks.flatMap(({ items, pageNumber }, at) => {
    const body = items.filter(isBody)
    const page = pages[at]
    return body.flatMap((block, index) => {
      const next = body[index + 1]
      if (page === undefined || next === undefined || block.type !== "text" || !isProse(next)) return []
      const between = composition.markdown.slice(block.markdownSpan?.[1], next.markdownSpan?.[0])
      return between.includes("\n\n") &&
        isOpen(block.content) &&
        startsWithin(next.content) &&
        runsToTheEdge(block, next, page)
        ? [`page ${pageNumber} …${short(block.content, "end")} ¶ ${short(next.content, "start")}…`]
        : []
    })
  })

const pairsOfPages = ({ composition }: Subject): ReadonlyArray<readonly [Block, Block]> =>
  composition.blocks.flatMap(({ items }, at) => {
    const last = items.findLast(isBody)
    const first = composition.blocks[at + 1]?.items.find(isBody)
    return last === undefined || first === undefined ? [] : [[last, first] as const]
  })

const cutsBetweenPages = (subject: Subject): Found =>
  pairsOfPages(subject).flatMap(([last, first]) =>
    isProse(last) && isProse(first) && isOpen(last.content) && startsLow(first.content)
      ? [`${last.id} …${short(last.content, "end")} ¶ ${short(first.content, "start")}…`]
      : []
  )

const wordsCutBetweenPages = (subject: Subject): Found =>
  pairsOfPages(subject).flatMap(([last, first]) =>
    /\p{Ll}[-\u2010\u00ad]$/u.test(last.content) && startsLow(first.content)
      ? [`${last.id} …${short(last.content, "end")} ¶ ${short(first.content, "start")}…`]
      : []
  )

const letters = (text: string): string => text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "")

const counted = (text: string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const letter of letters(text)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

const itemsOf = (page: PageItems) => [...page.items, ...page.sideways.flatMap(({ items }) => items)]

/** Letters of `left` that `right` does not have, by number. */
const missing = (left: string, right: string): number => {
  const others = counted(right)
  let count = 0
  for (const [letter, number] of counted(left)) count += Math.max(0, number - (others.get(letter) ?? 0))
  return count
}

/**
 * Pages whose blocks have fewer, or more, letters than their text layer. A word divided at the end of the page before, or of this one, may
 * have moved: up to 30 letters are allowed if that page's letters balance them.
 */
const balance = (subject: Subject, wanted: "lost" | "doubled"): Found => {
  const sums = subject.pages.map((page, at) => {
    const layer = itemsOf(page)
      .map(({ text }) => text)
      .join(" ")
    const read = plain((subject.composition.blocks[at]?.items ?? []).map(({ content }) => content).join("\n"))
    return { page, read, lost: missing(layer, read), doubled: missing(read, layer) }
  })
  return sums.flatMap(({ page, read, ...own }, at) => {
    const other = wanted === "lost" ? "doubled" : "lost"
    const moved = Math.max(sums[at - 1]?.[other] ?? 0, sums[at + 1]?.[other] ?? 0)
    if (own[wanted] === 0 || (moved > 0 && moved <= 30)) return []
    const squashed = letters(read)
    const gone = itemsOf(page).find(({ text }) => !squashed.includes(letters(text)))
    return [`page ${page.pageNumber} ${own[wanted]} letters ${gone?.text ?? ""}`]
  })
}

/** Lines at the edge of at least three pages, equal but for their numbers, that are in the Markdown. */
const runningLinesKept = ({ composition }: Subject): Found => {
  const seen = new Map<string, Array<string>>()
  for (const { items, pageNumber } of composition.blocks) {
    const body = items.filter(isBody)
    for (const block of new Set([...body.slice(0, 2), ...body.slice(-2)])) {
      const top = block.bbox?.[1] ?? 0.5
      const bottom = block.bbox?.[3] ?? 0.5
      if (block.content.length > 120 || (bottom > 0.12 && top < 0.88) || block.type === "table") continue
      const key = `${Math.round((top < 0.5 ? bottom : top) * 50)} ${block.content.toLowerCase().replace(/\d+/g, "#")}`
      seen.set(key, [...(seen.get(key) ?? []), `page ${pageNumber} ${block.content}`])
    }
  }
  return [...seen.values()].filter((each) => each.length >= 3).flat()
}

const pageNumbersKept = ({ composition }: Subject): Found =>
  composition.blocks.flatMap(({ items, pageNumber }) => {
    const body = items.filter(isBody)
    return [...new Set([body[0], body.at(-1)])].flatMap((block) => {
      if (block?.bbox === undefined || block.bbox === null || (block.bbox[3] > 0.12 && block.bbox[1] < 0.88)) return []
      return /^[^\p{L}\p{N}]*(?:page\s*)?\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?[^\p{L}\p{N}]*$/iu.test(plain(block.content))
        ? [`page ${pageNumber} ${block.content}`]
        : []
    })
  })

const matches =
  (pattern: RegExp, around: number) =>
  ({ composition }: Subject): Found =>
    [...composition.markdown.matchAll(pattern)].map(({ 0: text, index }) =>
      composition.markdown.slice(Math.max(0, index - around), index + text.length + around).replace(/\s+/g, " ")
    )

/** Compounds written with a hyphen in one place and, next to a line's end, without one in another. */
const hyphensLost = ({ composition, pages }: Subject): Found => {
  const ends = new Set(
    pages.flatMap((page) =>
      itemsOf(page).flatMap(({ text }) => /(\p{L}{2,})-$/u.exec(text.trim())?.[1]?.toLowerCase() ?? [])
    )
  )
  const text = composition.markdown.toLowerCase()
  const words = new Set(text.match(/\p{L}+/gu) ?? [])
  return [...new Set(text.match(/(?<![\p{L}-])\p{L}{2,}-\p{L}{2,}(?![\p{L}-])/gu) ?? [])].filter(
    (compound) => ends.has(compound.split("-")[0] ?? "") && words.has(compound.replace("-", ""))
  )
}

interface Heading {
  readonly block: Block
  readonly level: number
  readonly pageNumber: number
  readonly next: Block | undefined
}

const headingsOf = ({ composition }: Subject): ReadonlyArray<Heading> =>
  composition.blocks.flatMap(({ items, pageNumber }) => {
    const body = items.filter(isBody)
    return body.flatMap((block, at) => {
      const level = /^(#{1,6}) /.exec(block.content)?.[1]?.length
      return level === undefined ? [] : [{ block, level, pageNumber, next: body[at + 1] }]
    })
  })

const levelJumps = (subject: Subject): Found => {
  const headings = headingsOf(subject)
  return headings.flatMap(({ block, level }, at) =>
    level > (headings[at - 1]?.level ?? 2) + 1
      ? [`${headings[at - 1]?.level ?? "start"} → ${short(block.content, "start")}`]
      : []
  )
}

/** Two headings of one level, one below the other without a gap, of which the first is not a whole phrase or the second continues it. */
const wrappedHeadings = (subject: Subject): Found =>
  headingsOf(subject).flatMap(({ block, level, next }) => {
    if (next === undefined || !next.content.startsWith(`${"#".repeat(level)} `)) return []
    const [above, below] = [block.bbox, next.bbox]
    if (above === null || below === null) return []
    const gap = below[1] - above[3]
    const text = next.content.slice(level + 1)
    const near = gap >= 0 && gap < (below[3] - below[1]) * 0.6 && !/^\d/.test(text)
    return near || /^\p{Ll}/u.test(text) ? [`${block.content} ¶ ${next.content}`] : []
  })

/** Paragraphs whose first line is bold, short and no sentence, over lines that are not. */
const gluedHeadings = ({ composition, pages }: Subject): Found =>
  composition.blocks.flatMap(({ items }, at) => {
    const page = pages[at]
    if (page === undefined || page.turn !== 0) return []
    return items.flatMap((block) => {
      if (!isProse(block) || block.bbox === null) return []
      const [x0, y0, x1, y1] = block.bbox
      const own = page.items
        .filter(
          ({ box }) =>
            box.x0 >= x0 * page.width - 1 &&
            box.x1 <= x1 * page.width + 1 &&
            box.y0 >= y0 * page.height - 1 &&
            box.y1 <= y1 * page.height + 1
        )
        .toSorted((left, right) => left.box.y0 - right.box.y0)
      const [first] = own
      if (first === undefined) return []
      const line = own.filter(({ box }) => box.y0 < first.box.y1 - first.size * 0.4)
      const rest = own.filter((item) => !line.includes(item))
      const text = line.map((item) => item.text).join(" ")
      const end = Math.max(...line.map(({ box }) => box.x1))
      return rest.length > 0 &&
        line.every(({ bold }) => bold) &&
        rest.every(({ bold }) => !bold) &&
        end < (x0 + (x1 - x0) * 0.75) * page.width &&
        !/[.,:;-]$/.test(text.trim())
        ? [short(block.content, "start")]
        : []
    })
  })

const cellsOf = ({ composition }: Subject): ReadonlyArray<string> =>
  composition.blocks.flatMap(({ items }) =>
    items.flatMap((block) =>
      block.type === "table"
        ? block.content.split("\n").flatMap((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
        : []
    )
  )

const isNumber = (word: string): boolean => /^[-+(]?[$€£]?\d[\d.,]*[%)]?$/.test(word)

const rowsInCells = (subject: Subject): Found =>
  cellsOf(subject).filter((cell) => {
    const words = cell.split(/\s+/)
    return words.length >= 3 && words.every(isNumber)
  })

const tablesFlattened = ({ composition }: Subject): Found =>
  composition.blocks.flatMap(({ items }) =>
    items.flatMap(({ content, type }) => {
      const words = content.split(/\s+/)
      return type === "text" && words.length >= 12 && words.filter(isNumber).length > words.length * 0.6
        ? [short(content, "start")]
        : []
    })
  )

/** One capital as a block of its own, or at the end of one, whose word follows in lower case. */
const dropCapitals = ({ composition }: Subject): Found =>
  composition.blocks.flatMap(({ items }) => {
    const body = items.filter(isBody)
    return body.flatMap((block, at) => {
      const next = body[at + 1]
      return /^(?:#+ )?\p{Lu}$/u.test(block.content) && next !== undefined && /^(?:#+ )?\p{L}{2}/u.test(next.content)
        ? [`${block.content} ¶ ${short(next.content, "start")}`]
        : []
    })
  })

export const detectors: ReadonlyArray<Detector> = [
  { name: "paragraphs cut within a page", find: cutsIn },
  { name: "paragraphs cut between pages", find: cutsBetweenPages },
  { name: "words cut between pages", find: wordsCutBetweenPages },
  { name: "words nowhere", find: (subject) => balance(subject, "lost") },
  { name: "words twice", find: (subject) => balance(subject, "doubled") },
  { name: "running lines kept", find: runningLinesKept },
  { name: "page numbers kept", find: pageNumbersKept },
  { name: "accents apart", find: matches(/[´¨ˆ˜ˇ˘˙˚¸˝˛] ?\p{L}|\p{L} [´¨ˆˇ˘˙˝]/gu, 10) },
  { name: "hyphens left", find: matches(/\p{Ll}{2}[-\u2010]\s\p{Ll}{2}|\u00ad/gu, 12) },
  { name: "hyphens lost", find: hyphensLost },
  { name: "levels that jump", find: levelJumps },
  { name: "wrapped headings", find: wrappedHeadings },
  { name: "headings glued to text", find: gluedHeadings },
  { name: "rows in one cell", find: rowsInCells },
  { name: "tables flattened", find: tablesFlattened },
  { name: "drop capitals apart", find: dropCapitals }
]
