/** Source for groff with the macros ms and the preprocessor tbl. */
import { Match } from "effect"
import type { Block, Document, List, Table } from "./model.ts"
import { type Family, type HeadingStyle, lookOf, type Style } from "./style.ts"

/** Text of a line: no request, and no escape. */
const escaped = (text: string): string => {
  const safe = text.replaceAll("\\", "\\e").replaceAll("−", "\\-").replaceAll("◦", "\\(ci").replaceAll("▪", "\\(bu")
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}

const families: Readonly<Record<Family, ReadonlyArray<string>>> = {
  serif: ["T", "P", "N", "BM"],
  sans: ["H", "A"],
  mono: ["C"]
}

const familyOf = (family: Family, style: Style): string => {
  const names = families[family]
  return names[style.font % names.length] ?? "T"
}

const face = (bold: boolean, italic: boolean): string => (bold ? (italic ? "BI" : "B") : italic ? "I" : "R")

const set = (
  text: string,
  how: { readonly size: number; readonly family: string; readonly face: string; readonly center: boolean },
  space: { readonly above: number; readonly below: number }
): string =>
  [
    ".LP",
    `.sp ${space.above.toFixed(1)}p`,
    ".ne 4v",
    `.fam ${how.family}`,
    `.ft ${how.face}`,
    `.ps ${how.size.toFixed(1)}`,
    `.vs ${(how.size * 1.2).toFixed(1)}p`,
    how.center ? ".ad c" : ".ad l",
    ".nh",
    escaped(text),
    ".br",
    `.sp ${space.below.toFixed(1)}p`,
    ".hy",
    ".fam"
  ].join("\n")

const headingRoff = (text: string, heading: HeadingStyle, style: Style): string => {
  const how = {
    size: heading.size,
    family: familyOf(heading.other ? style.headingFamily : style.family, style),
    face: face(heading.bold, heading.italic),
    center: heading.align === "center"
  }
  return `${set(text, how, heading)}\n${style.justify ? ".ad b" : ".ad l"}`
}

const listRoff = ({ items, ordered }: List): string =>
  items
    .map(({ list, marker, text }) => {
      const mark = ordered ? escaped(marker) : marker === "–" ? "\\(en" : "\\(bu"
      const inner = list === undefined ? "" : `\n.RS\n${listRoff(list)}\n.RE`
      return `.IP "${mark}" 4\n${escaped(text)}${inner}`
    })
    .join("\n")

const tableRoff = (table: Table, style: Style): string => {
  const width = Math.max(...table.rows.map((row) => row.reduce((sum, { across = 1 }) => sum + across, 0)))
  const covered: Array<number> = Array.from({ length: width }, () => 0)
  const formats: Array<string> = []
  const lines = table.rows.map((row, top) => {
    const head = top < table.headings
    const cells: Array<string> = []
    const format: Array<string> = []
    let left = 0
    const skip = () => {
      while ((covered[left] ?? 0) > 0) {
        covered[left] = (covered[left] ?? 0) - 1
        format.push("^")
        cells.push("")
        left++
      }
    }
    for (const { across = 1, down = 1, text } of row) {
      skip()
      const bold = (head && style.headBold) || (table.labels === true && left === 0) ? "b" : ""
      format.push(
        (across > 1 ? "c" : table.numeric.has(left) && !head ? "r" : "l") + bold,
        ...Array.from({ length: across - 1 }, () => "s")
      )
      // A text block is set in lines of its own width.
      cells.push(text.length > 24 ? `T{\n.ad l\n${escaped(text)}\nT}` : escaped(text))
      for (let x = 0; x < across; x++) covered[left + x] = down - 1
      left += across
    }
    skip()
    formats.push(format.join(" "))
    const rule =
      (table.rules === "head" && top === table.headings - 1) || (table.rules === "rows" && top < table.rows.length - 1)
    return `${cells.join("\t")}${rule ? "\n_" : ""}`
  })
  const options = { all: "allbox", rows: "", head: "", outer: "box", none: "" }[table.rules]
  const edge = table.rules === "rows" || table.rules === "head" ? "_\n" : ""
  return `.LP\n.sp 6p\n.TS\ncenter ${options};\n${formats.join("\n")}.\n${edge}${lines.join("\n")}\n${edge}.TE\n.sp 6p`
}

const figureRoff = (bars: ReadonlyArray<number>, height: number): string => {
  const shown = bars.map((bar) => {
    const tall = ((bar / 100) * height).toFixed(1)
    return `\\D'P 0 -${tall}p 14p 0 0 ${tall}p'\\h'6p'`
  })
  return `.LP\n.ne ${height + 20}p\n.sp ${height}p\n.ad c\n${shown.join("")}\n.br\n.ad b`
}

const blockRoff = ({ style }: Document): ((block: Block) => string) =>
  Match.type<Block>().pipe(
    Match.withReturnType<string>(),
    Match.discriminatorsExhaustive("type")({
      title: ({ text }) => headingRoff(text, style.title, style),
      heading: ({ level, text }) =>
        headingRoff(text, style.headings[Math.min(3, level - 1)] ?? style.headings[3], style),
      paragraph: ({ align, lead, note, role, text }) => {
        const look = lookOf(style, role)
        if (look !== undefined) {
          const how = {
            size: style.size * look.scale,
            family: familyOf(style.family, style),
            face: face(look.bold, look.italic),
            center: false
          }
          return set(text, how, { above: 0, below: 2 })
        }
        const start = lead === undefined ? "" : `\\fB${escaped(lead)}\\fP `
        const mark = note === undefined ? "" : `\\**\n.FS\n${escaped(note.text)}\n.FE`
        const adjust = align === "center" ? "\n.ad c" : align === "right" ? "\n.ad r" : ""
        const after = adjust === "" ? "" : `\n.br\n${style.justify ? ".ad b" : ".ad l"}`
        return `${role === undefined && style.indent > 0 ? ".PP" : ".LP"}${adjust}\n${start === "" ? escaped(text) : start + text.replaceAll("\\", "\\e")}${mark}${after}`
      },
      list: listRoff,
      table: (table) => tableRoff(table, style),
      caption: ({ text }) =>
        set(
          text,
          {
            size: style.size * style.caption.scale,
            family: familyOf(style.family, style),
            face: face(false, style.caption.italic),
            center: style.caption.align === "center"
          },
          { above: 3, below: 8 }
        ),
      figure: ({ bars, height }) => figureRoff(bars, height),
      formula: ({ tag, text }) =>
        `.DS C\n\\fI${escaped(text)}\\fP${tag === undefined ? "" : `\\h'3m'${escaped(tag)}`}\n.DE`,
      code: ({ lines }) => `.DS L\n.fam C\n.ft R\n${lines.map(escaped).join("\n")}\n.fam\n.DE`,
      fields: ({ pairs }) =>
        pairs.map(([label, value]) => `.LP\n\\fB${escaped(label)}\\fP ${escaped(value)}`).join("\n"),
      contents: ({ entries }) =>
        entries
          .map(({ level, page, text }) =>
            `.LP\n.ta \\n[.l]uR\n\\h'${(level - 1) * 2}m'${escaped(text)}\\a\\t${escaped(page)}`.replace("\\a\\t", "\t")
          )
          .join("\n"),
      break: () => ".bp"
    })
  )

const pattern = (text: string): string =>
  text
    .split(/(\{[nN]\})/)
    .map((part) => (part === "{n}" ? "\\\\n%" : escaped(part)))
    .join("")

const runningRoff = ({ running }: Document): string => {
  const lines = [".ds LH", ".ds CH", ".ds RH", ".ds LF", ".ds CF", ".ds RF"]
  const place = { left: "L", center: "C", right: "R" } as const
  if (running.header !== undefined) lines.push(`.ds LH ${pattern(running.header)}`)
  if (running.footer !== undefined) lines.push(`.ds CF ${pattern(running.footer)}`)
  if (running.number !== undefined) {
    lines.push(
      `.ds ${place[running.number.align]}${running.number.place === "top" ? "H" : "F"} ${pattern(running.number.pattern)}`
    )
  }
  if (running.first) lines.push(".P1")
  return lines.join("\n")
}

/** groff does not know the number of pages, and always has a footer on the first. */
export const renders = ({ language, running }: Document): boolean =>
  language.script === "latin" &&
  language.code !== "vi" &&
  running.first &&
  running.number?.pattern.includes("{N}") !== true

export const make = (document: Document): string => {
  const { blocks, columns, columnsFrom, style } = document
  const { page } = style
  const roff = (some: ReadonlyArray<Block>): string => some.map(blockRoff(document)).join("\n")
  const body =
    columns === 1 ? roff(blocks) : `${roff(blocks.slice(0, columnsFrom))}\n.2C\n${roff(blocks.slice(columnsFrom))}`
  return `.pl ${page.height}p
.nr PO ${page.margin}p
.nr LL ${page.width - 2 * page.margin}p
.nr LT ${page.width - 2 * page.margin}p
.nr HM ${page.margin}p
.nr FM ${page.margin}p
.nr PS ${style.size}
.nr VS ${(style.size * style.leading).toFixed(1)}
.nr PI ${Math.max(12, style.indent)}p
.nr PD ${style.gap}p
.nr FPD 2p
.ds FAM ${familyOf(style.family, style)}
.fam ${familyOf(style.family, style)}
${runningRoff(document)}
${style.justify ? ".ad b" : ".ad l"}
.LP
${body}
`
}
