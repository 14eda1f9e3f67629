/** Kinds of documents: which parts they have, and in which order. */
import type { Block, Document, Running } from "./model.ts"
import type { Parts } from "./parts.ts"
import type { Style } from "./style.ts"

type Kind = (parts: Parts) => ReadonlyArray<Block>

const ingredients = ["text", "list", "table", "figure", "formula", "code", "fields"] as const

type Ingredient = (typeof ingredients)[number]

type Weights = Readonly<Partial<Record<Ingredient, number>>>

/** One part of a section. */
const mixed = (parts: Parts, weights: Weights): ReadonlyArray<Block> => {
  const { chance } = parts
  const make: Readonly<Record<Ingredient, () => ReadonlyArray<Block>>> = {
    text: () => parts.paragraphs(chance.between(1, 2)),
    list: () => [parts.paragraph(1, 2), parts.list(chance.holds(0.5))],
    table: () => [parts.paragraph(1, 3), ...parts.tableWithCaption()],
    figure: () => [...parts.figure(), parts.paragraph(1, 3)],
    formula: () => [parts.paragraph(1, 2), parts.formula(), parts.paragraph(1, 2)],
    code: () => [parts.paragraph(1, 1), parts.code()],
    fields: () => [parts.fields(chance.between(2, 5))]
  }
  return make[chance.weighted(ingredients.map((name) => [name, weights[name] ?? 0] as const))]()
}

const sections = (parts: Parts, count: number, depth: number, weights: Weights, level = 1): ReadonlyArray<Block> =>
  parts.chance
    .times(count, () => [
      parts.heading(level),
      ...(parts.chance.holds(0.85) ? parts.paragraphs(1) : []),
      ...parts.chance.times(parts.chance.between(0, 2), () => mixed(parts, weights)).flat(),
      ...(level < depth && parts.chance.holds(0.6)
        ? sections(parts, parts.chance.between(1, 3), depth, weights, level + 1)
        : [])
    ])
    .flat()

const contents = (parts: Parts, body: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  let page = 1
  const entries = body.flatMap((block) => {
    if (block.type !== "heading" || block.level > 2) return []
    page += parts.chance.below(2)
    return [{ level: block.level, text: block.text, page: String(page) }]
  })
  return entries.length === 0
    ? []
    : [
        { type: "heading", level: 1, text: parts.language.terms.contents },
        { type: "contents", entries }
      ]
}

const centered = { align: "center" } as const

export const kinds = {
  report: (parts) => {
    const { chance, prose } = parts
    const body = sections(parts, chance.between(3, 5), 3, { text: 5, list: 2, table: 2, figure: 1 })
    const cover = chance.holds(0.4)
    return [
      ...(chance.holds(0.3) ? [{ type: "paragraph", text: prose.phrase(), role: "organisation" } as const] : []),
      parts.title(),
      ...(chance.holds(0.4) ? [{ type: "paragraph", text: prose.heading(), role: "subtitle" } as const] : []),
      { type: "paragraph", text: prose.name(), role: "author", ...(cover ? centered : {}) },
      { type: "paragraph", text: prose.date(), role: "date", ...(cover ? centered : {}) },
      ...(cover ? [{ type: "break" } as const] : []),
      ...(chance.holds(0.5) ? contents(parts, body) : []),
      ...(cover ? [{ type: "break" } as const] : []),
      ...body
    ]
  },
  article: (parts) => {
    const { chance, language, prose } = parts
    const names = chance.times(chance.between(1, 3), () => prose.name()).join(", ")
    return [
      parts.title(`${prose.heading()}: ${prose.heading()}`),
      { type: "paragraph", text: names, role: "author", align: parts.style.title.align },
      { type: "paragraph", text: prose.phrase(), role: "address", align: parts.style.title.align },
      { ...parts.paragraph(3, 5, { lead: `${language.terms.abstract}.` }) },
      ...sections(parts, chance.between(3, 5), 2, { text: 5, formula: 2, table: 1.5, figure: 1.5, list: 1 }),
      { type: "heading", level: 1, text: language.terms.references },
      {
        type: "list",
        ordered: true,
        items: chance.times(chance.between(3, 8), (at) => ({
          marker: `[${at + 1}]`,
          text: `${prose.name()}. ${prose.heading()}. ${prose.phrase()} ${chance.between(1, 40)}, ${chance.between(1, 200)}–${chance.between(201, 400)}.`
        }))
      }
    ]
  },
  manual: (parts) => {
    const { chance } = parts
    const body = sections(parts, chance.between(3, 5), 4, { text: 3, list: 3, code: 3, table: 1, fields: 1 })
    return [parts.title(), ...(chance.holds(0.6) ? contents(parts, body) : []), ...body]
  },
  letter: (parts) => {
    const { chance, language, prose } = parts
    const right = chance.holds(0.5)
    return [
      { type: "paragraph", text: prose.name(), role: "address" },
      { type: "paragraph", text: `${prose.phrase()} ${chance.between(1, 200)}`, role: "address" },
      { type: "paragraph", text: `${chance.digits(5)} ${prose.phrase()}`, role: "address" },
      { type: "paragraph", text: prose.date(), role: "date", align: right ? "right" : "left" },
      ...(chance.holds(0.6) ? [parts.heading(1)] : []),
      { type: "paragraph", text: `${language.terms.greeting} ${prose.name()},` },
      ...parts.paragraphs(chance.between(3, 6)),
      ...(chance.holds(0.4) ? [parts.list(chance.holds(0.5)), parts.paragraph(1, 3)] : []),
      { type: "paragraph", text: language.terms.closing },
      { type: "paragraph", text: prose.name(), role: "signature" }
    ]
  },
  form: (parts) => {
    const { chance } = parts
    return [
      parts.title(),
      ...chance
        .times(chance.between(3, 6), () => [
          parts.heading(1),
          ...(chance.holds(0.5) ? [parts.paragraph(1, 2)] : []),
          parts.fields(chance.between(3, 8)),
          ...(chance.holds(0.3) ? [parts.table(chance.between(2, 5), chance.between(2, 5))] : [])
        ])
        .flat()
    ]
  },
  slides: (parts) => {
    const { chance, prose } = parts
    return [
      parts.title(),
      { type: "paragraph", text: prose.name(), role: "author", align: parts.style.title.align },
      ...chance
        .times(chance.between(4, 8), (): ReadonlyArray<Block> => [
          { type: "break" },
          parts.heading(1),
          ...(chance.holds(0.6)
            ? [parts.list(chance.holds(0.2))]
            : chance.holds(0.4)
              ? parts.figure()
              : chance.holds(0.5)
                ? [parts.table(chance.between(2, 4), chance.between(2, 4))]
                : parts.paragraphs(1))
        ])
        .flat()
    ]
  },
  legal: (parts) => {
    const { chance, prose } = parts
    const section = (at: number): ReadonlyArray<Block> => [
      { type: "heading", level: 2, text: `§ ${at + 1} ${prose.heading()}` },
      ...chance.times(chance.between(1, 4), (one): Block => ({
        type: "list",
        ordered: true,
        items: [{ marker: `(${one + 1})`, text: prose.sentences(chance.between(1, 4)) }]
      })),
      ...(chance.holds(0.25) ? [parts.paragraph(1, 1), parts.list(true)] : [])
    ]
    let at = 0
    return [
      parts.title(),
      parts.paragraph(1, 2),
      ...chance
        .times(chance.between(2, 3), () => [
          parts.heading(1),
          ...chance.times(chance.between(2, 4), () => section(at++)).flat()
        ])
        .flat()
    ]
  },
  invoice: (parts) => {
    const { chance, language, prose } = parts
    const { terms } = language
    const count = chance.between(3, 9)
    return [
      { type: "paragraph", text: prose.name(), role: "address", align: chance.pick(["left", "right"] as const) },
      { type: "paragraph", text: `${prose.phrase()} ${chance.between(1, 99)}, ${chance.digits(5)}`, role: "address" },
      parts.title(`${terms.invoice} ${chance.digits(6)}`),
      parts.fields(0, [
        [`${terms.date}:`, prose.date()],
        [`${terms.number}:`, chance.digits(6)],
        [`${terms.address}:`, prose.phrase()]
      ]),
      {
        type: "table",
        headings: 1,
        rules: chance.pick(["all", "rows", "head", "none"] as const),
        numeric: new Set([0, 2, 3]),
        rows: [
          [{ text: terms.number }, { text: terms.name }, { text: terms.total }, { text: terms.amount }],
          ...chance.times(count, (at) => [
            { text: String(at + 1) },
            { text: chance.holds(0.4) ? prose.heading() : prose.phrase() },
            { text: String(chance.between(1, 20)) },
            { text: prose.money() }
          ]),
          [{ text: terms.total, across: 3 }, { text: prose.money() }]
        ]
      },
      ...parts.paragraphs(chance.between(1, 2)),
      { type: "paragraph", text: terms.closing },
      { type: "paragraph", text: prose.name(), role: "signature" }
    ]
  },
  newsletter: (parts) => {
    const { chance, prose } = parts
    return [
      parts.title(),
      { type: "paragraph", text: `${prose.date()} · ${prose.phrase()}`, role: "date" },
      ...chance
        .times(chance.between(3, 6), (): ReadonlyArray<Block> => [
          parts.heading(1),
          ...(chance.holds(0.5) ? [{ type: "paragraph", text: prose.name(), role: "author" } as const] : []),
          ...(chance.holds(0.4) ? [parts.paragraph(1, 1, { role: "lede" })] : []),
          ...parts.paragraphs(chance.between(2, 4)),
          ...(chance.holds(0.3) ? parts.figure() : []),
          ...(chance.holds(0.4) ? [parts.heading(2), ...parts.paragraphs(chance.between(1, 3))] : []),
          ...(chance.holds(0.3) ? [parts.list(false)] : [])
        ])
        .flat()
    ]
  },
  minutes: (parts) => {
    const { chance, language, prose } = parts
    return [
      parts.title(),
      parts.fields(0, [
        [`${language.terms.date}:`, prose.date()],
        [`${language.terms.name}:`, chance.times(3, () => prose.name()).join(", ")]
      ]),
      ...chance
        .times(chance.between(4, 8), () => [
          parts.heading(1),
          ...parts.paragraphs(chance.between(1, 2)),
          ...(chance.holds(0.4) ? [parts.list(chance.holds(0.3))] : []),
          ...(chance.holds(0.2) ? [parts.table(chance.between(2, 5), chance.between(3, 5))] : [])
        ])
        .flat()
    ]
  }
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

/** Running lines by the style, with words of the document. */
export const running = (parts: Parts, blocks: Document["blocks"]): Running => {
  const { chance, language, prose, style } = parts
  const first = chance.holds(0.6)
  const number = {
    place: chance.holds(0.8) ? "bottom" : "top",
    align: chance.pick(["center", "right", "left"] as const),
    pattern: chance.pick(["{n}", "{n}", "– {n} –", `${language.terms.page} {n}`, "{n} / {N}"])
  } as const
  const titles = blocks.flatMap((block) => (block.type === "title" ? [block.text] : []))
  const line = (): string =>
    titles[0] !== undefined && chance.holds(0.3)
      ? titles[0]
      : chance.holds(0.5)
        ? prose.heading()
        : `${prose.phrase()} · ${prose.phrase()}`
  const lines: Readonly<Record<Style["running"], () => Running>> = {
    none: () => ({ first }),
    number: () => ({ number, first }),
    header: () => ({ header: line(), number: { ...number, place: "bottom" }, first }),
    both: () => ({ header: line(), footer: line(), first }),
    paged: () => ({ footer: `${line()} | ${language.terms.page} {n}`, first })
  }
  return lines[style.running]()
}

/** Where columns begin: after the title and what belongs to it. */
export const columnsFrom = (blocks: Document["blocks"]): number => {
  const at = blocks.findIndex(({ type }) => type === "heading")
  return at < 0 ? blocks.length : at
}
