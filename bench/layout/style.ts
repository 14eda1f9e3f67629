/** Looks of a document, in units of points, as every producer can render them. */
import type { Chance } from "./chance.ts"

export interface HeadingStyle {
  /** Font height, in points. */
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  /** All letters are capitals. */
  readonly capitals: boolean
  readonly smallCaps: boolean
  /** Space between letters, in points. */
  readonly spacing: number
  readonly color: string
  readonly align: "left" | "center"
  /** A line under the heading. */
  readonly ruled: boolean
  /** In the family of `Style.headingFamily` rather than in that of the text. */
  readonly other: boolean
  /** Space above and below, in points. */
  readonly above: number
  readonly below: number
}

export type Family = "serif" | "sans" | "mono"

export type Numbering = "none" | "decimal" | "decimal-dot" | "roman" | "letters" | "chapter"

export interface Style {
  /** Size of the page and its margins, in points. */
  readonly page: { readonly width: number; readonly height: number; readonly margin: number; readonly edge: number }
  readonly family: Family
  readonly headingFamily: Family
  /** Which of the fonts of a family: producers have fonts of their own. */
  readonly font: number
  readonly size: number
  /** Distance of base lines, as a multiple of `size`. */
  readonly leading: number
  readonly justify: boolean
  /** Indent of the first line, in points; paragraphs without one are `gap` points apart. */
  readonly indent: number
  readonly gap: number
  readonly title: HeadingStyle
  /** Levels 1 to 4. */
  readonly headings: readonly [HeadingStyle, HeadingStyle, HeadingStyle, HeadingStyle]
  readonly numbering: Numbering
  readonly bullets: ReadonlyArray<"disc" | "circle" | "square" | "dash">
  readonly ordered: "decimal" | "paren" | "alpha"
  readonly rules: "all" | "rows" | "head" | "outer" | "none"
  readonly headBold: boolean
  readonly shaded: boolean
  readonly caption: {
    readonly above: boolean
    readonly italic: boolean
    readonly boldLabel: boolean
    readonly scale: number
    readonly align: "left" | "center"
    readonly end: "." | ":" | ""
  }
  readonly columns: 1 | 2
  readonly running: "none" | "number" | "header" | "both" | "paged"
  readonly accent: string
  /** Paragraphs that look almost like headings, and are none. */
  readonly looks: Readonly<Record<LookName, Look>>
}

export const lookNames = ["lede", "quote", "subtitle", "label", "organisation"] as const

export type LookName = (typeof lookNames)[number]

export interface Look {
  /** Font height as a multiple of `Style.size`. */
  readonly scale: number
  readonly bold: boolean
  readonly italic: boolean
}

const paper = (chance: Chance): Style["page"] => {
  const [width, height] = chance.pick([
    [595, 842],
    [612, 792],
    [595, 842],
    [499, 709]
  ] as const)
  return { width, height, margin: chance.between(54, 84), edge: chance.between(24, 36) }
}

const colors = ["#1f3a5f", "#7a1f1f", "#2c5e3f", "#444444", "#0b6e99", "#5b2a86"]

const plainHeading = (size: number): HeadingStyle => ({
  size,
  bold: true,
  italic: false,
  capitals: false,
  smallCaps: false,
  spacing: 0,
  color: "#000000",
  align: "left",
  ruled: false,
  other: false,
  above: size * 1.2,
  below: size * 0.5
})

type Headings = Style["headings"]

const base = (chance: Chance): Style => {
  const size = chance.pick([9, 9.5, 10, 10.5, 11, 12])
  const indented = chance.holds(0.35)
  return {
    page: paper(chance),
    family: chance.pick(["serif", "sans"] as const),
    headingFamily: chance.pick(["serif", "sans"] as const),
    font: chance.below(100),
    size,
    leading: chance.pick([1.15, 1.2, 1.3, 1.4, 1.5]),
    justify: chance.holds(0.5),
    indent: indented ? chance.between(12, 24) : 0,
    gap: indented ? chance.pick([0, 0, 3]) : chance.pick([5, 6, 8, 10]),
    title: plainHeading(size * 2),
    headings: [plainHeading(size * 1.6), plainHeading(size * 1.3), plainHeading(size * 1.15), plainHeading(size)],
    numbering: chance.pick(["none", "none", "decimal", "decimal", "decimal-dot", "chapter"] as const),
    bullets: chance.pick([
      ["disc", "circle"],
      ["disc", "dash"],
      ["square", "disc"],
      ["dash", "disc"]
    ] as const),
    ordered: chance.pick(["decimal", "decimal", "paren", "alpha"] as const),
    rules: chance.pick(["all", "rows", "head", "outer", "none"] as const),
    headBold: chance.holds(0.8),
    shaded: chance.holds(0.3),
    caption: {
      above: chance.holds(0.5),
      italic: chance.holds(0.3),
      boldLabel: chance.holds(0.4),
      scale: chance.pick([0.85, 0.9, 1]),
      align: chance.pick(["left", "center"] as const),
      end: chance.pick([".", ":", ""] as const)
    },
    columns: 1,
    running: chance.pick(["number", "number", "header", "both", "paged", "none"] as const),
    accent: chance.pick(colors),
    looks: {
      lede: { scale: chance.pick([1, 1.15, 1.3]), bold: chance.holds(0.5), italic: false },
      quote: { scale: chance.pick([1, 1.2, 1.5]), bold: false, italic: chance.holds(0.8) },
      subtitle: { scale: chance.pick([1.2, 1.4, 1.6]), bold: false, italic: chance.holds(0.4) },
      label: { scale: 1, bold: true, italic: chance.holds(0.2) },
      organisation: { scale: chance.pick([0.9, 1.1, 1.4]), bold: chance.holds(0.5), italic: false }
    }
  }
}

const scaled = (
  size: number,
  scales: readonly [number, number, number, number],
  more: Partial<HeadingStyle>
): Headings => [
  { ...plainHeading(size * scales[0]), ...more },
  { ...plainHeading(size * scales[1]), ...more },
  { ...plainHeading(size * scales[2]), ...more },
  { ...plainHeading(size * scales[3]), ...more }
]

/** Families of styles; each draws the rest by chance. The names of those to judge by differ in kind from those to learn from. */
export const families = {
  /** Serif text, headings clearly larger. */
  classic: (chance: Chance): Style => {
    const style = base(chance)
    const title = {
      ...plainHeading(style.size * chance.pick([1.8, 2, 2.4])),
      align: "center",
      bold: chance.holds(0.5)
    } as const
    return {
      ...style,
      family: "serif",
      headingFamily: "serif",
      title,
      headings: scaled(style.size, [1.6, 1.3, 1.1, 1], { bold: chance.holds(0.8) })
    }
  },
  /** Sans serif, headings in a colour. */
  corporate: (chance: Chance): Style => {
    const style = base(chance)
    const accent = { color: style.accent, other: true, ruled: chance.holds(0.3) }
    return {
      ...style,
      family: "sans",
      headingFamily: "sans",
      title: { ...plainHeading(style.size * chance.pick([2.2, 2.8])), ...accent },
      headings: scaled(style.size, [1.8, 1.4, 1.2, 1], { ...accent, ruled: false, bold: chance.holds(0.6) })
    }
  },
  /** Headings differ from the text by weight alone, deeper ones by italics. */
  plain: (chance: Chance): Style => {
    const style = base(chance)
    const [one, two, three, four] = scaled(style.size, [1.15, 1, 1, 1], {})
    return {
      ...style,
      numbering: chance.pick(["decimal", "decimal-dot", "none"] as const),
      title: plainHeading(style.size * 1.4),
      headings: [one, two, { ...three, italic: true }, { ...four, bold: false, italic: true }]
    }
  },
  /** Small print in two columns. */
  dense: (chance: Chance): Style => {
    const style = base(chance)
    const size = chance.pick([8.5, 9, 9.5])
    const [one, two, three, four] = scaled(size, [1.2, 1.1, 1, 1], {})
    return {
      ...style,
      page: { ...style.page, margin: chance.between(44, 60) },
      size,
      leading: chance.pick([1.15, 1.2]),
      justify: true,
      columns: 2,
      numbering: chance.pick(["decimal", "roman", "decimal-dot"] as const),
      title: { ...plainHeading(size * 2), align: "center", bold: chance.holds(0.5) },
      headings: [
        { ...one, align: chance.pick(["left", "center"] as const), capitals: chance.holds(0.4) },
        two,
        { ...three, italic: true, bold: false },
        four
      ]
    }
  },
  /** Wide lines, much space, few rules. */
  airy: (chance: Chance): Style => {
    const style = base(chance)
    return {
      ...style,
      leading: chance.pick([1.5, 1.6, 1.8]),
      indent: 0,
      gap: chance.between(10, 16),
      title: { ...plainHeading(style.size * 3), bold: false, other: true },
      headings: scaled(style.size, [1.8, 1.45, 1.2, 1.1], { bold: chance.holds(0.4), other: true })
    }
  },
  /** To judge by: headings in capitals or spaced letters of the size of the text. */
  lettered: (chance: Chance): Style => {
    const style = base(chance)
    const spaced = chance.holds(0.5)
    const [one, two, three, four] = scaled(style.size, [1.05, 1, 1, 1], { bold: chance.holds(0.5) })
    return {
      ...style,
      title: { ...plainHeading(style.size * 1.5), capitals: true, spacing: 1.5, align: "center", bold: false },
      headings: [
        { ...one, capitals: true, spacing: spaced ? 1.2 : 0, align: chance.pick(["left", "center"] as const) },
        { ...two, capitals: !spaced, smallCaps: spaced, bold: true },
        { ...three, italic: true, bold: true },
        { ...four, italic: true, bold: false }
      ],
      numbering: chance.pick(["none", "roman", "letters", "decimal"] as const)
    }
  },
  /** To judge by: headings in another family and colour, hardly larger. */
  quiet: (chance: Chance): Style => {
    const style = base(chance)
    const more = { color: style.accent, other: true, bold: chance.holds(0.5) }
    return {
      ...style,
      family: "serif",
      headingFamily: "sans",
      title: { ...plainHeading(style.size * 1.7), ...more },
      headings: scaled(style.size, [1.25, 1.12, 1, 0.95], more),
      numbering: chance.pick(["none", "none", "decimal"] as const)
    }
  },
  /** To judge by: narrow columns, large titles, small captions. */
  magazine: (chance: Chance): Style => {
    const style = base(chance)
    return {
      ...style,
      columns: 2,
      size: 9.5,
      headingFamily: style.family === "serif" ? "sans" : "serif",
      title: { ...plainHeading(chance.between(26, 38)), other: true, bold: chance.holds(0.7) },
      headings: scaled(9.5, [1.7, 1.25, 1.05, 1], { other: true, color: chance.holds(0.5) ? style.accent : "#000000" }),
      numbering: "none"
    }
  },
  /** To judge by: a typewriter's font for all, underlined headings. */
  typed: (chance: Chance): Style => {
    const style = base(chance)
    const [one, two, three, four] = scaled(style.size, [1, 1, 1, 1], { bold: false })
    return {
      ...style,
      size: chance.pick([10, 11]),
      family: "mono",
      headingFamily: "mono",
      justify: false,
      title: { ...plainHeading(style.size * 1.2), align: "center", capitals: true },
      headings: [
        { ...one, capitals: true, bold: chance.holds(0.6) },
        { ...two, bold: true },
        { ...three, ruled: true },
        four
      ],
      numbering: chance.pick(["decimal", "decimal-dot", "letters"] as const)
    }
  }
} satisfies Record<string, (chance: Chance) => Style>

export type FamilyName = keyof typeof families

/** The look of a paragraph of a role; undefined for those that look like plain text. */
export const lookOf = (style: Style, role: string | undefined): (Look & { readonly name: LookName }) | undefined => {
  const name = lookNames.find((one) => one === role)
  return name === undefined ? undefined : { name, ...style.looks[name] }
}
