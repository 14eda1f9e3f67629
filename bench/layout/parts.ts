/** Parts of documents: sections with their numbers, lists, tables, figures, formulas, code. */
import type { Chance } from "./chance.ts"
import type { Language } from "./languages/language.ts"
import type { Block, Cell, List, Note, Paragraph, Table } from "./model.ts"
import * as Prose from "./prose.ts"
import type { Numbering, Style } from "./style.ts"

export interface Parts {
  readonly chance: Chance
  readonly language: Language
  readonly style: Style
  readonly prose: Prose.Prose
  /** The next heading of a level, with its number where the style has one. */
  readonly heading: (level: number, text?: string) => Block
  readonly title: (text?: string) => Block
  readonly paragraph: (least?: number, most?: number, more?: Partial<Paragraph>) => Paragraph
  /** Paragraphs of various lengths. */
  readonly paragraphs: (count: number) => ReadonlyArray<Block>
  readonly list: (ordered: boolean, depth?: number) => List
  readonly table: (rows: number, columns: number) => Table
  /** A table or figure with its caption where the style puts it. */
  readonly tableWithCaption: () => ReadonlyArray<Block>
  readonly figure: () => ReadonlyArray<Block>
  readonly formula: () => Block
  readonly code: () => Block
  readonly note: () => Note
  /** Labels with their values, on lines of their own or in a grid, which is a table. */
  readonly fields: (count: number, given?: ReadonlyArray<readonly [string, string]>) => Block
}

const roman = (value: number): string =>
  (
    [
      [10, "X"],
      [9, "IX"],
      [5, "V"],
      [4, "IV"],
      [1, "I"]
    ] as const
  ).reduce<readonly [string, number]>(
    ([text, left], [step, sign]) => [text + sign.repeat(Math.floor(left / step)), left % step],
    ["", value]
  )[0]

const letter = (value: number): string => String.fromCharCode(64 + value)

/** Number of a heading, with the space after it; empty where the level has none. */
const numbers: Readonly<Record<Numbering, (counts: ReadonlyArray<number>, chapter: string) => string>> = {
  none: () => "",
  decimal: (counts) => (counts.length > 3 ? "" : `${counts.join(".")} `),
  "decimal-dot": (counts) => (counts.length > 3 ? "" : `${counts.join(".")}. `),
  roman: (counts) => [`${roman(counts[0] ?? 1)}. `, `${letter(counts[1] ?? 1)}. `][counts.length - 1] ?? "",
  letters: (counts) => {
    const first = letter(counts[0] ?? 1)
    return [`${first}. `, `${first}.${counts[1] ?? 1} `][counts.length - 1] ?? ""
  },
  chapter: (counts, chapter) =>
    counts.length === 1 ? `${chapter} ${counts[0] ?? 1}: ` : counts.length < 4 ? `${counts.join(".")} ` : ""
}

const operators = ["+", "−", "·", "=", "≤", "≈"]
const variables = [..."abcdfghkmnpqstuvwxyz", ..."αβγδλμπσφω"]

const markers = { disc: "•", circle: "◦", square: "▪", dash: "–" } as const

export const make = (chance: Chance, language: Language, style: Style): Parts => {
  const prose = Prose.make(language, chance)
  const { between, holds, pick, times } = chance
  const counts: Array<number> = []
  const number = { figure: 0, table: 0, formula: 0, note: 0 }

  const heading = (level: number, text?: string): Block => {
    counts.length = Math.min(counts.length, level)
    while (counts.length < level) counts.push(0)
    counts[level - 1] = (counts[level - 1] ?? 0) + 1
    for (let above = 0; above < level; above++) if (counts[above] === 0) counts[above] = 1
    const words =
      text ?? (holds(0.15) ? `${prose.heading()}${pick([":", ",", " –"])} ${prose.heading()}` : prose.heading())
    const shown = style.headings[Math.min(3, level - 1)]?.capitals === true ? words.toLocaleUpperCase("en") : words
    return { type: "heading", level, text: numbers[style.numbering](counts, language.terms.chapter) + shown }
  }
  const paragraph = (least = 2, most = 6, more: Partial<Paragraph> = {}): Paragraph => ({
    type: "paragraph",
    text: prose.sentences(between(least, most)),
    ...more
  })
  const list = (ordered: boolean, depth = 0): List => {
    const long = holds(0.3)
    const shape = style.bullets[Math.min(depth, style.bullets.length - 1)] ?? "disc"
    const marker = (at: number): string => {
      if (!ordered) return markers[shape]
      if (depth > 0 || style.ordered === "alpha") return `${String.fromCharCode(97 + at)})`
      return `${at + 1}${style.ordered === "paren" ? ")" : "."}`
    }
    return {
      type: "list",
      ordered,
      items: times(between(2, depth === 0 ? 6 : 3), (at) => ({
        marker: marker(at),
        text: long ? prose.sentences(between(1, 3)) : holds(0.5) ? prose.sentence() : prose.heading(),
        ...(depth < 1 && holds(0.15) ? { list: list(holds(0.4), depth + 1) } : {})
      }))
    }
  }
  const table = (rows: number, columns: number): Table => {
    const textual = new Set(times(columns, (at) => (at > 0 && holds(0.2) ? at : 0)))
    const spanned = columns > 3 && holds(0.25)
    const wide = holds(0.2)
    const body = (): ReadonlyArray<Cell> =>
      times(columns, (at) => ({
        text:
          at === 0 || textual.has(at)
            ? wide && holds(0.3)
              ? prose.heading()
              : prose.phrase()
            : holds(0.05)
              ? ""
              : prose.figure()
      }))
    const names = (from: number): ReadonlyArray<Cell> => times(columns - from, () => ({ text: prose.phrase() }))
    const top: ReadonlyArray<ReadonlyArray<Cell>> = spanned
      ? [
          [
            { text: prose.phrase(), down: 2 },
            { text: prose.phrase(), across: 2 },
            { text: prose.phrase(), across: columns - 3 }
          ],
          names(1)
        ]
      : [names(0)]
    const sum = (row: ReadonlyArray<Cell>): ReadonlyArray<Cell> => [
      { text: language.terms.total, across: 2 },
      ...row.slice(2)
    ]
    const rest = times(rows, (at) => (spanned && at === rows - 1 && holds(0.4) ? sum(body()) : body()))
    return {
      type: "table",
      rows: [...top, ...rest],
      headings: top.length,
      rules: holds(0.7) ? style.rules : pick(["all", "rows", "head", "outer", "none"] as const),
      numeric: new Set(times(columns, (at) => at).filter((at) => at > 0 && !textual.has(at)))
    }
  }
  const caption = (kind: "figure" | "table"): Block => ({
    type: "caption",
    text: `${language.terms[kind]}${language.space === "" && holds(0.5) ? "" : " "}${++number[kind]}${style.caption.end} ${
      holds(0.6) ? prose.heading() : prose.sentence()
    }`
  })
  const tableWithCaption = (): ReadonlyArray<Block> => {
    const parts = [table(between(2, 9), between(2, style.columns === 2 ? 4 : 7))]
    if (holds(0.25)) return parts
    return style.caption.above ? [caption("table"), ...parts] : [...parts, caption("table")]
  }
  const figure = (): ReadonlyArray<Block> => {
    const picture: Block = {
      type: "figure",
      bars: times(between(3, 9), () => between(10, 100)),
      height: between(60, 160)
    }
    return holds(0.15) ? [picture] : [picture, caption("figure")]
  }
  const formula = (): Block => {
    const terms = between(3, 7)
    const text = times(
      terms,
      (at) => `${pick(variables)}${at === 0 ? " =" : at === terms - 1 ? "" : ` ${pick(operators)}`}`
    )
    return { type: "formula", text: text.join(" "), ...(holds(0.6) ? { tag: `(${++number.formula})` } : {}) }
  }
  const identifiers = [
    "count",
    "total",
    "buffer",
    "index",
    "path",
    "result",
    "token",
    "offset",
    "limit",
    "value",
    "node"
  ]
  const code = (): Block => {
    const lines = [`def ${pick(identifiers)}_${pick(identifiers)}(${pick(identifiers)}, ${pick(identifiers)}):`]
    for (let left = between(1, 6); left > 0; left--) {
      lines.push(
        pick([
          `    ${pick(identifiers)} = ${pick(identifiers)}[${between(0, 99)}] + ${pick(identifiers)}`,
          `    if ${pick(identifiers)} > ${between(1, 999)}:\n        raise ValueError("${pick(identifiers)}")`,
          `    for ${pick(identifiers)} in range(${between(2, 64)}):\n        ${pick(identifiers)} += ${between(1, 9)}`,
          `    # ${pick(identifiers)} before ${pick(identifiers)}`
        ])
      )
    }
    lines.push(`    return ${pick(identifiers)}`)
    return { type: "code", lines: lines.flatMap((line) => line.split("\n")) }
  }
  const note = (): Note => ({ mark: String(++number.note), text: prose.sentences(between(1, 2)) })
  const fields = (count: number, given?: ReadonlyArray<readonly [string, string]>): Block => {
    const pairs =
      given ??
      times(count, () => [
        `${pick([prose.phrase(), language.terms.number, language.terms.date, language.terms.name])}:`,
        pick([prose.date(), prose.name(), prose.figure(), prose.phrase()])
      ])
    if (holds(0.6)) return { type: "fields", pairs }
    return {
      type: "table",
      rows: pairs.map(([label, value]) => [{ text: label }, { text: value }]),
      headings: 0,
      rules: pick(["none", "none", "all", "rows"] as const),
      numeric: new Set(),
      labels: holds(0.7)
    }
  }
  return {
    chance,
    language,
    style,
    prose,
    heading,
    title: (text) => {
      const words = text ?? prose.heading()
      return { type: "title", text: style.title.capitals ? words.toLocaleUpperCase("en") : words }
    },
    paragraph,
    paragraphs: (count) =>
      times(count, (): ReadonlyArray<Block> => {
        const kind = between(1, 100)
        if (kind <= 12) return [paragraph(1, 3, { lead: `${prose.phrase()}${pick([".", ":"])}` })]
        if (kind <= 15) return [paragraph(1, 1, { role: "quote" })]
        if (kind <= 19) return [{ type: "paragraph", text: `${prose.phrase()}:`, role: "label" }, paragraph(1, 3)]
        return [paragraph(1, 6, holds(0.07) ? { note: note() } : {})]
      }).flat(),
    list,
    table,
    tableWithCaption,
    figure,
    formula,
    code,
    note,
    fields
  }
}
