/** LaTeX source: for XeLaTeX with the fonts of the system, for pdfLaTeX with those of TeX. */
import { Match } from "effect"
import * as Fonts from "./fonts.ts"
import type { Block, Cell, Document, List, Table } from "./model.ts"
import { type HeadingStyle, lookOf, type Style } from "./style.ts"

const special: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "−": "$-$",
  "[": "{[}",
  "]": "{]}",
  "€": "\\texteuro{}",
  "◦": "$\\circ$",
  "▪": "$\\cdot$"
}

const escaped = (text: string): string => text.replace(/[\\{}$&#%_^~−[\]€◦▪]/g, (sign) => special[sign] ?? sign)

const color = (hex: string): string => `\\color[HTML]{${hex.slice(1).toUpperCase()}}`

const sized = (size: number, leading = 1.2): string =>
  `\\fontsize{${size.toFixed(1)}}{${(size * leading).toFixed(1)}}\\selectfont`

export type Engine = "xelatex" | "pdflatex"

const familyCommand = { serif: "\\rmfamily", sans: "\\sffamily", mono: "\\ttfamily" } as const

const typeface = (heading: HeadingStyle, style: Style): string => {
  const family = familyCommand[heading.other ? style.headingFamily : style.family]
  return [
    sized(heading.size),
    family,
    heading.bold ? "\\bfseries" : "\\mdseries",
    heading.italic ? "\\itshape" : heading.smallCaps ? "\\scshape" : "\\upshape",
    color(heading.color)
  ].join("")
}

/** Fonts that pdfLaTeX has, by the style's choice. */
const packages = [
  "",
  "\\usepackage{lmodern}",
  "\\usepackage{mathptmx}",
  "\\usepackage[scaled]{helvet}",
  "\\usepackage{charter}"
]

/** Fonts that XeLaTeX cannot embed. */
const postScript: ReadonlySet<string> = new Set(["C059", "P052", "Nimbus Sans", "URW Gothic", "Nimbus Mono PS"])

const fontsOf = ({ language, style }: Document, engine: Engine): string => {
  const family = familyCommand[style.family].slice(1).replace("family", "default")
  const main = `\\renewcommand{\\familydefault}{\\${family}}`
  if (engine === "pdflatex") {
    return `\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp}\n${packages[style.font % packages.length] ?? ""}\n${main}`
  }
  const set = (command: string, family: "serif" | "sans" | "mono") =>
    `\\${command}{${Fonts.name(language, family, style.font, postScript)}}`
  const breaks =
    language.space === "" ? `\\XeTeXlinebreaklocale "${language.code}"\n\\XeTeXlinebreakskip=0pt plus 1pt` : ""
  return [
    "\\usepackage{fontspec}\\usepackage{textcomp}",
    set("setmainfont", "serif"),
    set("setsansfont", "sans"),
    set("setmonofont", "mono"),
    main,
    breaks
  ].join("\n")
}

const pattern = (text: string): string =>
  text
    .split(/(\{[nN]\})/)
    .map((part) => (part === "{n}" ? "\\thepage{}" : part === "{N}" ? "\\pageref{LastPage}" : escaped(part)))
    .join("")

const runningOf = ({ running }: Document): string => {
  const place = { left: "L", center: "C", right: "R" } as const
  const lines = [
    "\\pagestyle{fancy}\\fancyhf{}",
    `\\renewcommand{\\headrulewidth}{${running.header === undefined ? "0pt" : "0.4pt"}}`,
    running.header === undefined ? "" : `\\fancyhead[L]{\\small ${pattern(running.header)}}`,
    running.footer === undefined ? "" : `\\fancyfoot[C]{\\small ${pattern(running.footer)}}`
  ]
  if (running.number !== undefined) {
    const { align, pattern: text, place: edge } = running.number
    lines.push(`\\fancy${edge === "top" ? "head" : "foot"}[${place[align]}]{\\small ${pattern(text)}}`)
  }
  return lines.join("\n")
}

const spaced = (text: string, heading: HeadingStyle): string =>
  heading.spacing > 0 ? escaped(text).split("").join("\\kern0.06em ").replaceAll("\\kern0.06em  ", " ") : escaped(text)

const headingTex = (text: string, heading: HeadingStyle, style: Style, command: string): string => {
  const align = heading.align === "center" ? "\\centering" : "\\raggedright"
  const rule = heading.ruled ? "\\par\\nobreak\\vskip1pt\\hrule" : ""
  const bookmark = command === "" ? "" : `\\addcontentsline{toc}{${command}}{${escaped(text)}}`
  return `\\par\\addvspace{${heading.above.toFixed(1)}pt}{\\parindent0pt${align}${typeface(heading, style)}\\phantomsection{}${bookmark}${
    /^[\p{L}\p{N}\s.§:,-]*$/u.test(text) ? spaced(text, { ...heading, spacing: 0 }) : escaped(text)
  }\\par${rule}}\\nobreak\\vskip${heading.below.toFixed(1)}pt\\nobreak\\@afterheading\n`
}

const listTex = ({ items, ordered }: List, style: Style): string => {
  const name = ordered ? "enumerate" : "itemize"
  const own = items.map(
    ({ list, marker, text }) =>
      `\\item[${ordered ? escaped(marker) : marker === "–" ? "--" : marker === "•" ? "\\textbullet" : "{$\\circ$}"}] ${escaped(text)}${list === undefined ? "" : `\n${listTex(list, style)}`}`
  )
  return `\\begin{${name}}\\setlength{\\itemsep}{${(style.gap / 3).toFixed(1)}pt}\\setlength{\\parskip}{0pt}\n${own.join("\n")}\n\\end{${name}}\n`
}

const tableTex = (
  table: Table,
  { columns, page, style }: { readonly columns: number; readonly page: Style["page"]; readonly style: Style }
): string => {
  const width = table.rows.reduce(
    (most, row) =>
      Math.max(
        most,
        row.reduce((sum, { across = 1 }) => sum + across, 0)
      ),
    1
  )
  const all = table.rules === "all"
  const bar = all ? "|" : ""
  const longest = Array.from({ length: width }, (_, at) =>
    Math.max(...table.rows.map((row) => row[at]?.text.length ?? 0))
  )
  const available = (page.width - 2 * page.margin - (columns - 1) * 18) / columns - width * 12
  const needed = longest.reduce((sum, length) => sum + length * style.size * 0.5, 0)
  const specs = longest.map((length, at) => {
    if (needed <= available) return table.numeric.has(at) ? "r" : "l"
    return `>{\\raggedright\\arraybackslash}p{${(
      (available * length) /
      Math.max(
        1,
        longest.reduce((sum, one) => sum + one, 0)
      )
    ).toFixed(1)}pt}`
  })
  const covered: Array<number> = Array.from({ length: width }, () => 0)
  const rule = { all: "\\hline", rows: "\\hline", head: "", outer: "", none: "" }[table.rules]
  const cellTex = ({ across = 1, down = 1, text }: Cell, bold: boolean, first: boolean): string => {
    const shown = bold ? `\\textbf{${escaped(text)}}` : escaped(text)
    const tall = down > 1 ? `\\multirow{${down}}{*}{${shown}}` : shown
    return across > 1 ? `\\multicolumn{${across}}{${first ? bar : ""}c${bar}}{${tall}}` : tall
  }
  const rows = table.rows.map((row, top) => {
    const cells: Array<string> = []
    let left = 0
    for (const one of row) {
      while ((covered[left] ?? 0) > 0) {
        covered[left] = (covered[left] ?? 0) - 1
        cells.push("")
        left++
      }
      const bold = (top < table.headings && style.headBold) || (table.labels === true && left === 0)
      cells.push(cellTex(one, bold, left === 0))
      if ((one.down ?? 1) > 1) covered[left] = (one.down ?? 1) - 1
      left += one.across ?? 1
    }
    const line = top === table.headings - 1 && (table.rules === "head" || table.rules === "rows") ? "\\hline" : rule
    const partial = all && covered.some((count) => count > 0) ? `\\cline{2-${width}}` : line
    return `${cells.join(" & ")} \\\\ ${partial}`
  })
  const edge = table.rules === "none" ? "" : "\\hline"
  const outer = all || table.rules === "outer" ? "|" : ""
  return `\\par\\addvspace{8pt}{\\centering\\small\\renewcommand{\\arraystretch}{1.25}\\begin{tabular}{${outer}${specs.join(bar)}${outer}}${edge}\n${rows.join("\n")}\n${all || table.rules === "rows" ? "" : edge}\\end{tabular}\\par}\\addvspace{8pt}\n`
}

const signs: Readonly<Record<string, string>> = {
  "≤": "\\leq",
  "≈": "\\approx",
  "·": "\\cdot",
  "−": "-",
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  λ: "\\lambda",
  μ: "\\mu",
  π: "\\pi",
  σ: "\\sigma",
  φ: "\\varphi",
  ω: "\\omega"
}

const figureTex = (bars: ReadonlyArray<number>, height: number, accent: string): string => {
  const shown = bars.map((bar) => `{${color(accent)}\\rule{14pt}{${((bar / 100) * height).toFixed(1)}pt}}\\hskip6pt`)
  return `\\par\\addvspace{10pt}{\\centering ${shown.join("")}\\par}\\nobreak\n`
}

const blockTex = (document: Document): ((block: Block) => string) => {
  const { columns, style } = document
  return Match.type<Block>().pipe(
    Match.withReturnType<string>(),
    Match.discriminatorsExhaustive("type")({
      title: ({ text }) => headingTex(text, style.title, style, ""),
      heading: ({ level, text }) => {
        const command = ["section", "subsection", "subsubsection", "paragraph"][level - 1] ?? "paragraph"
        return headingTex(text, style.headings[Math.min(3, level - 1)] ?? style.headings[3], style, command)
      },
      paragraph: ({ align, lead, note, role, text }) => {
        const start = lead === undefined ? "" : `\\textbf{${escaped(lead)}} `
        const mark = note === undefined ? "" : `\\footnote{${escaped(note.text)}}`
        const body = `${start}${escaped(text)}${mark}`
        const look = lookOf(style, role)
        if (look !== undefined) {
          const face = `${sized(style.size * look.scale)}${look.bold ? "\\bfseries" : ""}${look.italic ? "\\itshape" : ""}`
          return `{\\parindent0pt\\raggedright${face} ${body}\\par}\n`
        }
        if (align === "center") return `{\\centering ${body}\\par}\n`
        if (align === "right") return `{\\raggedleft ${body}\\par}\n`
        if (role !== undefined) return `{\\parindent0pt ${body}\\par}\n`
        return `${body}\\par\n`
      },
      list: (list) => listTex(list, style),
      table: (table) => tableTex(table, { columns, page: style.page, style }),
      caption: ({ text }) => {
        const label = style.caption.boldLabel ? (/^\P{L}*[\p{L}\p{M}]+\s?\d+[.:]?/u.exec(text)?.[0] ?? "") : ""
        const shown = `${label === "" ? "" : `\\textbf{${escaped(label)}}`}${escaped(text.slice(label.length))}`
        return `{\\parindent0pt${style.caption.align === "center" ? "\\centering" : "\\raggedright"}${sized(style.size * style.caption.scale)}${style.caption.italic ? "\\itshape" : ""} ${shown}\\par}\\addvspace{8pt}\n`
      },
      figure: ({ bars, height }) => figureTex(bars, height, style.accent),
      formula: ({ tag, text }) => {
        const shown = text.split(" ").map((part) => signs[part] ?? part)
        return `\\[ ${shown.join(" ")} ${tag === undefined ? "" : `\\eqno{${tag}}`} \\]\n`
      },
      code: ({ lines }) => `\\begin{verbatim}\n${lines.join("\n")}\n\\end{verbatim}\n`,
      fields: ({ pairs }) =>
        pairs.map(([label, value]) => `{\\parindent0pt\\textbf{${escaped(label)}} ${escaped(value)}\\par}\n`).join(""),
      contents: ({ entries }) =>
        entries
          .map(
            ({ level, page, text }) =>
              `{\\parindent0pt\\hskip${(level - 1) * 14}pt ${escaped(text)}\\nobreak\\dotfill\\nobreak ${page}\\par}\n`
          )
          .join(""),
      break: () => "\\clearpage\n"
    })
  )
}

/** Babel's name of a language, for its hyphenation. */
export const babel: Readonly<Record<string, string>> = { en: "english", de: "ngerman", fr: "french", es: "spanish" }

/** The number of pages and the bookmarks of a first run stand in the second. */
export const needsSecondRun = ({ running, seed }: Document): boolean =>
  seed % 2 === 0 || running.number?.pattern.includes("{N}") === true

export const make = (document: Document, engine: Engine, languages: ReadonlySet<string>): string => {
  const { blocks, columns, columnsFrom, language, running, style } = document
  const { page } = style
  const tex = (some: ReadonlyArray<Block>): string => some.map(blockTex(document)).join("\n")
  const name = babel[language.code]
  const body =
    columns === 1
      ? tex(blocks)
      : `${tex(blocks.slice(0, columnsFrom))}\\begin{multicols}{2}\n${tex(blocks.slice(columnsFrom))}\\end{multicols}`
  return `\\documentclass[10pt]{article}
\\usepackage[paperwidth=${page.width}bp,paperheight=${page.height}bp,margin=${page.margin}bp,headheight=14pt,headsep=8pt,footskip=22pt]{geometry}
${fontsOf(document, engine)}
${name !== undefined && languages.has(name) && (name === "english" || engine === "xelatex") ? `\\usepackage[${name}${name === "french" ? ",shorthands=off" : ""}]{babel}` : ""}
\\usepackage{xcolor,fancyhdr,multicol,multirow,array,lastpage,amsmath}
\\usepackage[hidelinks,bookmarks=${document.seed % 2 === 0 ? "true" : "false"}]{hyperref}
${runningOf(document)}
\\setlength{\\parindent}{${style.indent}pt}\\setlength{\\parskip}{${style.gap}pt}\\setlength{\\columnsep}{18pt}
\\setcounter{secnumdepth}{0}\\raggedbottom${style.justify ? "" : "\\raggedright"}\\sloppy
\\makeatletter
\\AtBeginDocument{${sized(style.size, style.leading)}\\setlength{\\parindent}{${style.indent}pt}}
\\begin{document}
${running.first ? "" : "\\thispagestyle{empty}"}
${body}
\\end{document}
`
}
