/** Flat OpenDocument text, as LibreOffice opens it. */
import { Match } from "effect"
import * as Fonts from "./fonts.ts"
import { type Block, captionLabel, type Document, type List, type Table } from "./model.ts"
import { type HeadingStyle, lookNames, lookOf } from "./style.ts"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const font = (name: string, size: number, more = ""): string => {
  const all = ["", "-asian", "-complex"].map((part) => {
    const names = part === "" ? `fo:font-family="${escaped(name)}"` : `style:font-family${part}="${escaped(name)}"`
    const sizes = part === "" ? `fo:font-size="${size}pt"` : `style:font-size${part}="${size}pt"`
    return `${names} ${sizes}`
  })
  return `${all.join(" ")} ${more}`
}

const weight = (bold: boolean, italic: boolean): string =>
  ["", "-asian", "-complex"]
    .map((part) => {
      const prefix = part === "" ? "fo" : "style"
      return `${prefix}:font-weight${part}="${bold ? "bold" : "normal"}" ${prefix}:font-style${part}="${italic ? "italic" : "normal"}"`
    })
    .join(" ")

const paragraphStyle = (name: string, paragraph: string, text: string, parent = "Text", tabs = ""): string =>
  `<style:style style:name="${name}" style:family="paragraph"${name === "Text" ? "" : ` style:parent-style-name="${parent}"`}>` +
  `<style:paragraph-properties ${paragraph}>${tabs}</style:paragraph-properties><style:text-properties ${text}/></style:style>`

const headingStyle = (name: string, heading: HeadingStyle, { language, style }: Document): string => {
  const family = Fonts.name(language, heading.other ? style.headingFamily : style.family, style.font)
  return paragraphStyle(
    name,
    `fo:margin-top="${heading.above}pt" fo:margin-bottom="${heading.below}pt" fo:text-indent="0pt" fo:keep-with-next="always" fo:text-align="${
      heading.align === "center" ? "center" : "start"
    }"${heading.ruled ? ' fo:border-bottom="0.5pt solid #000000"' : ""} fo:line-height="115%"`,
    `${font(family, heading.size)} ${weight(heading.bold, heading.italic)} fo:color="${heading.color}" fo:letter-spacing="${heading.spacing}pt"${
      heading.smallCaps ? ' fo:font-variant="small-caps"' : ""
    }`
  )
}

const stylesOf = (document: Document): string => {
  const { language, style } = document
  const { caption } = style
  const body = Fonts.name(language, style.family, style.font)
  const mono = Fonts.name(language.script === "latin" ? language : { ...language, script: "latin" }, "mono", style.font)
  const mode = language.rtl ? ' style:writing-mode="rl-tb"' : ""
  const flush = `fo:text-indent="0pt" fo:text-align="start"`
  const end = style.page.width - 2 * style.page.margin
  return [
    paragraphStyle(
      "Text",
      `fo:margin-top="0pt" fo:margin-bottom="${style.gap}pt" fo:text-indent="${style.indent}pt" fo:line-height="${Math.round(style.leading * 87)}%" fo:text-align="${style.justify ? "justify" : "start"}" fo:orphans="2" fo:widows="2"${mode}`,
      `${font(body, style.size)} ${weight(false, false)} fo:language="${language.code}" fo:hyphenate="${style.justify ? "true" : "false"}" fo:hyphenation-remain-char-count="2" fo:hyphenation-push-char-count="2"`
    ),
    headingStyle("Title", style.title, document),
    ...style.headings.map((heading, at) => headingStyle(`H${at + 1}`, heading, document)),
    paragraphStyle("Flush", flush, ""),
    paragraphStyle("Center", `fo:text-indent="0pt" fo:text-align="center"`, ""),
    paragraphStyle("Right", `fo:text-indent="0pt" fo:text-align="end"`, ""),
    ...lookNames.map((name) => {
      const { bold, italic, scale } = style.looks[name]
      return paragraphStyle(`Look${name}`, flush, `${font(body, style.size * scale)} ${weight(bold, italic)}`)
    }),
    paragraphStyle("Item", `${flush} fo:margin-bottom="${style.gap / 3}pt"`, ""),
    paragraphStyle("Cell", `${flush} fo:margin-bottom="0pt" fo:line-height="100%"`, font(body, style.size * 0.92)),
    paragraphStyle("CellRight", `fo:text-align="end"`, "", "Cell"),
    paragraphStyle("CellHead", "", weight(style.headBold, false), "Cell"),
    paragraphStyle("CellBold", "", weight(true, false), "Cell"),
    paragraphStyle(
      "Caption",
      `fo:text-indent="0pt" fo:margin-top="4pt" fo:margin-bottom="10pt" fo:text-align="${caption.align === "center" ? "center" : "start"}"`,
      `${font(body, style.size * caption.scale)} ${weight(false, caption.italic)}`
    ),
    paragraphStyle(
      "Code",
      `${flush} fo:margin-bottom="0pt" fo:margin-left="10pt" fo:line-height="100%" style:writing-mode="lr-tb"`,
      `${font(mono, style.size * 0.88)} fo:hyphenate="false"`
    ),
    paragraphStyle(
      "Entry",
      `${flush} fo:margin-bottom="1pt"`,
      "",
      "Text",
      `<style:tab-stops><style:tab-stop style:position="${end}pt" style:type="right" style:leader-style="dotted" style:leader-text="."/></style:tab-stops>`
    ),
    paragraphStyle("Note", `${flush} fo:margin-bottom="1pt"`, font(body, style.size * 0.82)),
    paragraphStyle("Running", `${flush} fo:margin-bottom="0pt"`, font(body, style.size * 0.85)),
    paragraphStyle("RunningCenter", `fo:text-align="center"`, "", "Running"),
    paragraphStyle("RunningRight", `fo:text-align="end"`, "", "Running"),
    paragraphStyle("Break", `fo:break-before="page" fo:margin-bottom="0pt"`, font(body, 2)),
    `<style:style style:name="Bold" style:family="text"><style:text-properties ${weight(true, false)}/></style:style>`,
    `<style:style style:name="Math" style:family="text"><style:text-properties ${weight(false, true)}/></style:style>`
  ].join("\n")
}

const border: Readonly<Record<Table["rules"], (head: boolean, last: boolean) => string>> = {
  all: () => 'fo:border="0.6pt solid #333333"',
  rows: () => 'fo:border-bottom="0.4pt solid #777777" fo:border-top="0.4pt solid #777777"',
  head: (head, last) =>
    `${head ? 'fo:border-top="1pt solid #000000" fo:border-bottom="0.6pt solid #000000"' : ""} ${last ? 'fo:border-bottom="1pt solid #000000"' : ""}`,
  outer: () => "",
  none: () => ""
}

const cellStyles = (shaded: boolean): string =>
  (["all", "rows", "head", "outer", "none"] as const)
    .flatMap((rules) =>
      (["head", "body", "last"] as const).map(
        (part) =>
          `<style:style style:name="C${rules}${part}" style:family="table-cell"><style:table-cell-properties fo:padding="2.5pt" ${border[rules](part === "head", part === "last")}${
            shaded && part === "head" ? ' fo:background-color="#e4e8ee"' : ""
          }/></style:style>`
      )
    )
    .join("\n")

/** Automatic styles of lists: one for each form of marker, with two levels of indents. */
const listStyle = (name: string, marker: string, number: string | undefined, size: number): string => {
  const levels = [1, 2].map((level) => {
    const place = `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="${level * size * 2}pt" fo:text-indent="-${size * 1.8}pt" fo:margin-left="${level * size * 2}pt"/></style:list-level-properties>`
    if (number === undefined)
      return `<text:list-level-style-bullet text:level="${level}" text:bullet-char="${escaped(marker)}">${place}</text:list-level-style-bullet>`
    const [prefix = "", suffix = ""] = marker.split(number)
    const format = /^[a-z]$/.test(number) ? "a" : "1"
    return `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-prefix="${escaped(prefix)}" style:num-suffix="${escaped(suffix)}">${place}</text:list-level-style-number>`
  })
  return `<text:list-style style:name="${name}">${levels.join("")}</text:list-style>`
}

class Writer {
  readonly lists: Array<string> = []
  private readonly document: Document

  constructor(document: Document) {
    this.document = document
  }

  list({ items }: List): string {
    const [first] = items
    if (first === undefined) return ""
    const number = /\p{L}|\d+/u.exec(first.marker)?.[0]
    const name = `L${this.lists.length + 1}`
    this.lists.push(listStyle(name, first.marker, number, this.document.style.size))
    const start = number === undefined || !/^\d+$/.test(number) ? "" : ` text:start-value="${number}"`
    const own = items.map(
      ({ list, text }, at) =>
        `<text:list-item${at === 0 ? start : ""}><text:p text:style-name="Item">${escaped(text)}</text:p>${list === undefined ? "" : this.list(list)}</text:list-item>`
    )
    return `<text:list text:style-name="${name}">${own.join("")}</text:list>`
  }

  table(table: Table): string {
    const { headings, labels, numeric, rows, rules } = table
    const width = Math.max(...rows.map((row) => row.reduce((sum, { across = 1 }) => sum + across, 0)))
    const covered: Array<number> = Array.from({ length: width }, () => 0)
    const own = rows.map((row, top) => {
      const part = top < headings ? "head" : top === rows.length - 1 ? "last" : "body"
      let shown = ""
      let left = 0
      const skip = () => {
        while ((covered[left] ?? 0) > 0) {
          covered[left] = (covered[left] ?? 0) - 1
          shown += "<table:covered-table-cell/>"
          left++
        }
      }
      for (const { across = 1, down = 1, text } of row) {
        skip()
        const style =
          part === "head"
            ? "CellHead"
            : labels === true && left === 0
              ? "CellBold"
              : numeric.has(left) && across === 1
                ? "CellRight"
                : "Cell"
        const spans = `${across > 1 ? ` table:number-columns-spanned="${across}"` : ""}${down > 1 ? ` table:number-rows-spanned="${down}"` : ""}`
        shown += `<table:table-cell table:style-name="C${rules}${part}"${spans} office:value-type="string"><text:p text:style-name="${style}">${escaped(text)}</text:p></table:table-cell>`
        shown += "<table:covered-table-cell/>".repeat(across - 1)
        for (let x = 0; x < across; x++) covered[left + x] = down - 1
        left += across
      }
      skip()
      return `<table:table-row>${shown}</table:table-row>`
    })
    const head =
      headings === 0 ? "" : `<table:table-header-rows>${own.slice(0, headings).join("")}</table:table-header-rows>`
    return `<table:table><table:table-column table:number-columns-repeated="${width}"/>${head}${own.slice(headings).join("")}</table:table><text:p text:style-name="Note"/>`
  }

  figure(bars: ReadonlyArray<number>, height: number): string {
    const { accent } = this.document.style
    const width = bars.length * 26
    const shown = bars.map(
      (bar, at) =>
        `<rect x="${at * 26 + 3}" y="${height - (bar / 100) * height}" width="20" height="${(bar / 100) * height}" fill="${accent}"/>`
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shown.join("")}</svg>`
    return `<text:p text:style-name="Center"><draw:frame text:anchor-type="as-char" svg:width="${width}pt" svg:height="${height}pt"><draw:image draw:mime-type="image/svg+xml"><office:binary-data>${Buffer.from(svg).toString("base64")}</office:binary-data></draw:image></draw:frame></text:p>`
  }

  blocks(blocks: ReadonlyArray<Block>, titled: boolean): string {
    const { style } = this.document
    const p = (name: string, inner: string): string => `<text:p text:style-name="${name}">${inner}</text:p>`
    const bold = (text: string): string => `<text:span text:style-name="Bold">${escaped(text)}</text:span>`
    const align = { left: "Flush", center: "Center", right: "Right" } as const
    const write = Match.type<Block>().pipe(
      Match.withReturnType<string>(),
      Match.discriminatorsExhaustive("type")({
        title: ({ text }) => `<text:h text:style-name="Title" text:outline-level="1">${escaped(text)}</text:h>`,
        heading: ({ level, text }) =>
          `<text:h text:style-name="H${Math.min(4, level)}" text:outline-level="${level + (titled ? 1 : 0)}">${escaped(text)}</text:h>`,
        paragraph: (block) => {
          const lead = block.lead === undefined ? "" : `${bold(block.lead)} `
          const note =
            block.note === undefined
              ? ""
              : `<text:note text:note-class="footnote"><text:note-citation>${escaped(block.note.mark)}</text:note-citation><text:note-body>${p("Note", escaped(block.note.text))}</text:note-body></text:note>`
          const look = lookOf(style, block.role)
          if (look !== undefined) return p(`Look${look.name}`, `${lead}${escaped(block.text)}${note}`)
          const name = block.align !== undefined ? align[block.align] : block.role === undefined ? "Text" : "Flush"
          return p(name, `${lead}${escaped(block.text)}${note}`)
        },
        list: (list) => this.list(list),
        table: (table) => this.table(table),
        caption: ({ text }) => {
          const label = style.caption.boldLabel ? captionLabel(text) : ""
          return p("Caption", `${label === "" ? "" : bold(label)}${escaped(text.slice(label.length))}`)
        },
        figure: ({ bars, height }) => this.figure(bars, height),
        formula: ({ tag, text }) =>
          p(
            "Center",
            `<text:span text:style-name="Math">${escaped(text)}</text:span>${tag === undefined ? "" : `<text:s text:c="12"/>${escaped(tag)}`}`
          ),
        code: ({ lines }) =>
          lines
            .map((line) =>
              p(
                "Code",
                escaped(line).replace(/^ +/, (spaces) => `<text:s text:c="${spaces.length}"/>`)
              )
            )
            .join(""),
        fields: ({ pairs }) => pairs.map(([label, value]) => p("Flush", `${bold(label)} ${escaped(value)}`)).join(""),
        contents: ({ entries }) =>
          entries
            .map(({ level, page, text }) =>
              p("Entry", `<text:s text:c="${level * 3 - 2}"/>${escaped(text)}<text:tab/>${escaped(page)}`)
            )
            .join(""),
        break: () => p("Break", "")
      })
    )
    return blocks.map(write).join("\n")
  }
}

const pattern = (text: string): string =>
  text
    .split(/(\{[nN]\})/)
    .map((part) =>
      part === "{n}"
        ? '<text:page-number text:select-page="current">1</text:page-number>'
        : part === "{N}"
          ? "<text:page-count>1</text:page-count>"
          : escaped(part)
    )
    .join("")

const masterPage = ({ language, running, style }: Document): string => {
  const { margin } = style.page
  const align = { left: "Running", center: "RunningCenter", right: "RunningRight" } as const
  const line = (name: string, text: string | undefined): string =>
    text === undefined ? "" : `<text:p text:style-name="${name}">${pattern(text)}</text:p>`
  const number = (place: "top" | "bottom") =>
    running.number?.place === place ? line(align[running.number.align], running.number.pattern) : ""
  const top = line("Running", running.header) + number("top")
  const bottom = line("RunningCenter", running.footer) + number("bottom")
  const part = (name: "header" | "footer", text: string): string =>
    text === ""
      ? ""
      : `<style:${name}>${text}</style:${name}>${running.first ? "" : `<style:${name}-first><text:p text:style-name="Running"/></style:${name}-first>`}`
  const edge = Math.min(margin - 10, 30)
  const box = (name: "header" | "footer", text: string): string =>
    text === ""
      ? ""
      : `<style:${name}-style><style:header-footer-properties fo:min-height="${margin - edge}pt" fo:margin-${name === "header" ? "bottom" : "top"}="8pt"/></style:${name}-style>`
  return `<office:automatic-styles><style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="${style.page.width}pt" fo:page-height="${style.page.height}pt" fo:margin-left="${margin}pt" fo:margin-right="${margin}pt" fo:margin-top="${top === "" ? margin : edge}pt" fo:margin-bottom="${bottom === "" ? margin : edge}pt" ${language.vertical === true ? 'style:writing-mode="tb-rl" ' : ""}style:print-orientation="${style.page.width > style.page.height ? "landscape" : "portrait"}"/>${box("header", top)}${box("footer", bottom)}</style:page-layout>
<style:style style:name="Columns" style:family="section"><style:section-properties text:dont-balance-text-columns="true"><style:columns fo:column-count="2" fo:column-gap="18pt"/></style:section-properties></style:style>
${cellStyles(style.shaded)}
LISTS
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page">${part("header", top)}${part("footer", bottom)}</style:master-page></office:master-styles>`
}

const namespaces = ["office", "style", "text", "table", "draw"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === "draw" ? "drawing" : name}:1.0"`)
  .concat([
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
  ])
  .join(" ")

export const make = (document: Document): string => {
  const { blocks, columns, columnsFrom } = document
  const titled = blocks.some(({ type }) => type === "title")
  const writer = new Writer(document)
  const body =
    columns === 1
      ? writer.blocks(blocks, titled)
      : `${writer.blocks(blocks.slice(0, columnsFrom), titled)}<text:section text:style-name="Columns" text:name="Columns">${writer.blocks(blocks.slice(columnsFrom), titled)}</text:section>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:styles>
${stylesOf(document)}
</office:styles>
${masterPage(document).replace("LISTS", () => writer.lists.join("\n"))}
<office:body><office:text>
${body}
</office:text></office:body>
</office:document>
`
}
