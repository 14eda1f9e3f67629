/** HTML with CSS for paged media, as Chromium and WeasyPrint render it. */
import { Match } from "effect"
import * as Fonts from "./fonts.ts"
import { type Block, captionLabel, type Cell, type Document, type List, type Note, type Table } from "./model.ts"
import { type HeadingStyle, lookNames, type Style } from "./style.ts"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const cssString = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

export interface Options {
  /** Formulas as MathML; otherwise in italics. */
  readonly mathml: boolean
  /** Footnotes at the end of their page; otherwise at the end of the document. */
  readonly footnotes: boolean
}

const headingRules = (selector: string, heading: HeadingStyle, document: Document): string => {
  const { language, style } = document
  const family = heading.other ? style.headingFamily : style.family
  return `${selector} { font: ${heading.italic ? "italic" : "normal"} ${heading.bold ? 700 : 400} ${heading.size}pt/1.2 ${cssString(
    Fonts.name(language, family, style.font)
  )}, ${family === "mono" ? "monospace" : family === "sans" ? "sans-serif" : "serif"}; color: ${heading.color}; text-align: ${
    heading.align === "left" ? "start" : "center"
  }; letter-spacing: ${heading.spacing}pt; font-variant-caps: ${heading.smallCaps ? "small-caps" : "normal"}; margin: ${heading.above}pt 0 ${
    heading.below
  }pt; ${heading.ruled ? "border-bottom: 0.5pt solid currentColor;" : ""} break-after: avoid; text-indent: 0; hyphens: manual }`
}

const pattern = (text: string): string =>
  text
    .split(/(\{[nN]\})/)
    .filter((part) => part !== "")
    .map((part) => (part === "{n}" ? "counter(page)" : part === "{N}" ? "counter(pages)" : cssString(part)))
    .join(" ")

const pageRules = ({ language, running, style }: Document): string => {
  const { page } = style
  const font = `font: ${style.size * 0.85}pt ${cssString(Fonts.name(language, style.family, style.font))}`
  const boxes: Array<string> = []
  if (running.header !== undefined)
    boxes.push(
      `@top-${language.rtl ? "right" : "left"} { content: ${pattern(running.header)}; ${font}; white-space: nowrap }`
    )
  if (running.footer !== undefined)
    boxes.push(`@bottom-center { content: ${pattern(running.footer)}; ${font}; white-space: nowrap }`)
  if (running.number !== undefined) {
    const { align, pattern: text, place } = running.number
    boxes.push(`@${place}-${align} { content: ${pattern(text)}; ${font} }`)
  }
  const none = running.first
    ? ""
    : "@page :first { @top-left { content: none } @top-center { content: none } @top-right { content: none } @bottom-left { content: none } @bottom-center { content: none } @bottom-right { content: none } }"
  return `@page { size: ${page.width}pt ${page.height}pt; margin: ${page.margin}pt; ${boxes.join(" ")} } ${none}`
}

const borders: Readonly<Record<Table["rules"], string>> = {
  all: "table.all, .all td, .all th { border: 0.6pt solid #333 }",
  rows: "table.rows { border-top: 0.8pt solid #333 } .rows tr { border-bottom: 0.4pt solid #777 }",
  head: "table.head { border-top: 1pt solid #000; border-bottom: 1pt solid #000 } .head tr.last { border-bottom: 0.6pt solid #000 }",
  outer: "table.outer { border: 0.8pt solid #333 }",
  none: ""
}

const styleSheet = (document: Document): string => {
  const { language, style } = document
  const { caption } = style
  return [
    pageRules(document),
    `html { font: ${style.size}pt/${style.leading} ${cssString(Fonts.name(language, style.family, style.font))}, ${style.family === "mono" ? "monospace" : style.family === "sans" ? "sans-serif" : "serif"}; ${language.vertical === true ? "writing-mode: vertical-rl" : ""} }`,
    `body { margin: 0; ${style.justify ? "text-align: justify; hyphens: auto;" : ""} }`,
    `p { margin: 0 0 ${style.gap}pt; text-indent: ${style.indent}pt; orphans: 2; widows: 2 }`,
    headingRules("h1.title", style.title, document),
    ...style.headings.map((heading, at) => headingRules(`.h${at + 1}`, heading, document)),
    "p.left { text-align: start; text-indent: 0 } p.center { text-align: center; text-indent: 0 } p.right { text-align: end; text-indent: 0 }",
    "p.address, p.signature { margin: 0; text-indent: 0; text-align: start } p.date, p.author { text-indent: 0; margin: 4pt 0 10pt }",
    ...lookNames.map((name) => {
      const { bold, italic, scale } = style.looks[name]
      return `p.${name} { font-size: ${style.size * scale}pt; line-height: 1.3; font-weight: ${bold ? 700 : 400}; font-style: ${italic ? "italic" : "normal"}; text-indent: 0; text-align: start }`
    }),
    `ul, ol { margin: ${style.gap / 2}pt 0 ${style.gap}pt; padding-inline-start: ${style.size * 2.2}pt } li { margin: 0 0 ${style.gap / 3}pt; text-indent: 0 }`,
    `table { border-collapse: collapse; margin: ${style.size}pt ${style.columns === 2 ? "0" : "auto"}; font-size: ${style.size * 0.92}pt; line-height: 1.2; break-inside: auto; text-align: start; hyphens: manual }`,
    `td, th { padding: 2.5pt 6pt; text-align: start; vertical-align: top; font-weight: normal } .number { text-align: end } ${
      style.headBold ? "th { font-weight: 700 }" : ""
    } ${style.shaded ? "th { background: #e4e8ee }" : ""} tr { break-inside: avoid }`,
    ...Object.values(borders),
    `.caption { font-size: ${style.size * caption.scale}pt; ${caption.italic ? "font-style: italic;" : ""} text-align: ${caption.align === "left" ? "start" : "center"}; text-indent: 0; margin: 5pt 0 ${style.size * 1.2}pt }`,
    "figure { margin: 10pt 0 2pt; text-align: center; break-after: avoid } .formula { display: flex; margin: 8pt 0; text-indent: 0 } .formula > :first-child { flex: 1; text-align: center }",
    `pre { font: ${style.size * 0.88}pt/1.25 ${cssString(Fonts.name(document.language.script === "latin" ? document.language : { ...language, script: "latin" }, "mono", style.font))}, monospace; margin: 6pt 0 ${style.gap + 4}pt; ${style.shaded ? "background: #f2f2f2; padding: 5pt;" : "padding-inline-start: 10pt;"} text-align: start; direction: ltr; break-inside: avoid }`,
    ".field { text-indent: 0; margin: 0 0 2pt } .labels td:first-child { font-weight: 700 } .entry { display: flex; text-indent: 0; margin: 1pt 0 } .entry .dots { flex: 1; border-bottom: 1pt dotted #666; margin: 0 4pt 3pt }",
    ".columns { column-count: 2; column-gap: 18pt; column-fill: auto } sup { font-size: 70%; line-height: 0 }",
    `.notes { border-top: 0.5pt solid #444; margin-top: 16pt; padding-top: 4pt } .note { font-size: ${style.size * 0.82}pt; text-indent: 0; margin: 2pt 0 } .footnote { float: footnote; font-size: ${style.size * 0.82}pt; text-indent: 0; text-align: start }`,
    ".break { break-before: page }"
  ].join("\n")
}

const listHtml = ({ items, ordered }: List): string => {
  const name = ordered ? "ol" : "ul"
  const own = items.map(
    ({ list, marker, text }) =>
      `<li style="list-style-type: ${escaped(cssString(`${marker} `))}">${escaped(text)}${list === undefined ? "" : listHtml(list)}</li>`
  )
  return `<${name}>${own.join("\n")}</${name}>`
}

const tableHtml = (table: Table, style: Style): string => {
  const cell = ({ across = 1, down = 1, text }: Cell, name: "td" | "th", at: number): string =>
    `<${name}${across > 1 ? ` colspan="${across}"` : ""}${down > 1 ? ` rowspan="${down}"` : ""}${table.numeric.has(at) && name === "td" && across === 1 ? ' class="number"' : ""}>${escaped(text)}</${name}>`
  const rows = table.rows.map((row, at) => {
    const name = at < table.headings ? "th" : "td"
    let left = 0
    const cells = row.map((one) => {
      const shown = cell(one, name, left)
      left += one.across ?? 1
      return shown
    })
    return `<tr${at === table.headings - 1 ? ' class="last"' : ""}>${cells.join("")}</tr>`
  })
  const head = rows.slice(0, table.headings)
  return `<table class="${table.rules}${table.labels === true ? " labels" : ""}"${style.columns === 1 ? "" : ' style="width: 100%"'}><thead>${head.join("\n")}</thead><tbody>${rows.slice(table.headings).join("\n")}</tbody></table>`
}

/** On a page of its own, turned by a quarter against the clock. */
const sideways = (inner: string, { page }: Style): string => {
  const height = page.height - 2 * page.margin - 4
  const width = page.width - 2 * page.margin
  const turned = `position: absolute; top: 0; left: 0; width: ${height}pt; height: ${width}pt; transform-origin: 0 0; transform: translateY(${height}pt) rotate(-90deg)`
  return `<div style="break-before: page; break-after: page; position: relative; height: ${height}pt"><div style="${turned}">${inner}</div></div>`
}

const formulaHtml = (text: string, mathml: boolean): string => {
  if (!mathml) return `<i>${escaped(text)}</i>`
  const parts = text
    .split(" ")
    .map((part) => (/^[\p{L}]$/u.test(part) ? `<mi>${part}</mi>` : `<mo>${escaped(part)}</mo>`))
  return `<math><mrow>${parts.join("")}</mrow></math>`
}

const figureHtml = (bars: ReadonlyArray<number>, height: number, accent: string): string => {
  const width = bars.length * 26
  const shown = bars.map(
    (bar, at) =>
      `<rect x="${at * 26 + 3}" y="${height - (bar / 100) * height}" width="20" height="${(bar / 100) * height}" fill="${accent}"/>`
  )
  return `<figure><svg width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}"><path d="M0 0V${height}H${width}" fill="none" stroke="#333"/>${shown.join("")}</svg></figure>`
}

const noteHtml = (note: Note | undefined, footnotes: boolean): string => {
  if (note === undefined) return ""
  return footnotes ? `<span class="footnote">${escaped(note.text)}</span>` : `<sup>${escaped(note.mark)}</sup>`
}

const noted = (classes: ReadonlyArray<string | undefined>): string => {
  const names = classes.filter((name) => name !== undefined).join(" ")
  return names === "" ? "" : ` class="${names}"`
}

const blockHtml = ({ style }: Document, options: Options, titled: boolean): ((block: Block) => string) =>
  Match.type<Block>().pipe(
    Match.withReturnType<string>(),
    Match.discriminatorsExhaustive("type")({
      title: ({ text }) => `<h1 class="title">${escaped(text)}</h1>`,
      heading: (block) => {
        const level = block.level + (titled ? 1 : 0)
        return `<h${level} class="h${Math.min(4, block.level)}">${escaped(block.text)}</h${level}>`
      },
      paragraph: ({ align, lead, note, role, text }) => {
        const start = lead === undefined ? "" : `<b>${escaped(lead)}</b> `
        return `<p${noted([role, align])}>${start}${escaped(text)}${noteHtml(note, options.footnotes)}</p>`
      },
      list: listHtml,
      table: (table) => (table.sideways === true ? sideways(tableHtml(table, style), style) : tableHtml(table, style)),
      caption: ({ text }) => {
        const label = style.caption.boldLabel ? captionLabel(text) : ""
        return `<p class="caption">${label === "" ? "" : `<b>${escaped(label)}</b>`}${escaped(text.slice(label.length))}</p>`
      },
      figure: ({ bars, height }) => figureHtml(bars, height, style.accent),
      formula: ({ tag, text }) => {
        const number = tag === undefined ? "" : `<span>${escaped(tag)}</span>`
        return `<div class="formula"><span>${formulaHtml(text, options.mathml)}</span>${number}</div>`
      },
      code: ({ lines }) => `<pre>${escaped(lines.join("\n"))}</pre>`,
      fields: ({ pairs }) =>
        pairs.map(([label, value]) => `<p class="field"><b>${escaped(label)}</b> ${escaped(value)}</p>`).join("\n"),
      contents: ({ entries }) =>
        entries
          .map(({ level, page, text }) => {
            const indent = `margin-inline-start: ${(level - 1) * 14}pt`
            return `<div class="entry" style="${indent}"><span>${escaped(text)}</span><span class="dots"></span><span>${page}</span></div>`
          })
          .join("\n"),
      break: () => '<div class="break"></div>'
    })
  )

export const make = (document: Document, options: Options): string => {
  const { blocks, columns, columnsFrom, language } = document
  const titled = blocks.some(({ type }) => type === "title")
  const html = (some: ReadonlyArray<Block>): string => some.map(blockHtml(document, options, titled)).join("\n")
  const body =
    columns === 1
      ? html(blocks)
      : `${html(blocks.slice(0, columnsFrom))}<div class="columns">${html(blocks.slice(columnsFrom))}</div>`
  const notes = blocks.flatMap((block) => (block.type === "paragraph" && block.note !== undefined ? [block.note] : []))
  const endnotes =
    options.footnotes || notes.length === 0
      ? ""
      : `<div class="notes">${notes.map(({ mark, text }) => `<p class="note"><sup>${escaped(mark)}</sup> ${escaped(text)}</p>`).join("\n")}</div>`
  const title = blocks.find((block) => block.type === "title")
  return `<!doctype html>
<html lang="${language.code}" dir="${language.rtl ? "rtl" : "ltr"}"><head><meta charset="utf-8"><title>${escaped(title?.text ?? document.template)}</title>
<style>
${styleSheet(document)}
</style></head><body>
${body}
${endnotes}
</body></html>
`
}
