/**
 * Charts of Word documents and presentations as the parser reads them: it makes a table of the points in their order, whatever their indices are.
 * Charts of workbooks, of which it reads none, as tables.
 *
 * Source: ECMA-376 part 1, 21.2 (DrawingML charts).
 */
import * as Edits from "../../Edits.ts"
import * as Element from "../markup/Element.ts"
import * as XmlText from "../XmlText.ts"

const space = "http://schemas.openxmlformats.org/drawingml/2006/chart"

const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"

/** Points of an axis above which a chart stays as it is. */
const most = 10_000

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

/** The first element of that name in an element, at any depth. */
const within = (element: Element.Element | undefined, name: string): Element.Element | undefined => {
  if (element === undefined || element.name === name) return element
  for (const one of Element.children(element)) {
    const found = within(one, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Days from the first day of spreadsheets to that of Unix. */
const epoch = 25_569

/** The same in a chart that counts its days from 1904. */
const epochOf = (xml: string): number =>
  /^(?:1|true)$/u.test(XmlText.attribute(xml, "date1904", "val") ?? "") ? epoch - 1462 : epoch

/** A fraction with the 15 digits that spreadsheets show of one, where the file has the digits of its binary number or an exponent. */
const shown = (value: string): string =>
  /^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/iu.test(value) && (/e/iu.test(value) || (value.includes(".") && value.length > 15))
    ? String(Number(Number(value).toPrecision(15)))
    : value

/** A number as it is shown; a date of a number of days, where the format of the numbers is one of dates. */
const valueOf = (value: string, format: string, start: number): string => {
  const days = Number(value)
  const isDate = /[ymd]/iu.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gu, "")) && !/general/iu.test(format)
  if (!isDate || value === "" || !Number.isFinite(days) || Math.abs(days) > 1_000_000) return shown(value)
  const date = new Date(Math.round((days - start) * 86_400_000)).toISOString()
  return Number.isInteger(days) ? date.slice(0, 10) : date.slice(0, 16)
}

/** Values of points by their index; of several levels those of the innermost. */
const pointsOf = (source: Element.Element | undefined, start = epoch): ReadonlyMap<number, string> => {
  const found = new Map<number, string>()
  const cache = ["strCache", "numCache", "strLit", "numLit", "multiLvlStrCache"].flatMap(
    (name) => within(source, name) ?? []
  )[0]
  if (cache === undefined) return found
  const levels = cache.name === "multiLvlStrCache" ? Element.children(cache, "lvl").slice(0, 1) : [cache]
  const code = Element.child(cache, "formatCode")
  const format = code === undefined ? undefined : Element.text(code)
  for (const level of levels) {
    for (const point of Element.children(level, "pt")) {
      const index = Number(point.attributes.get("idx"))
      const value = oneLine(Element.text(Element.child(point, "v") ?? point))
      if (Number.isInteger(index)) found.set(index, format === undefined ? value : valueOf(value, format, start))
    }
  }
  return found
}

const categories = ["cat", "xVal"]

const values = ["val", "yVal"]

/** Places of the values of a chart, each with its points; empty when one cannot be read. */
const axesOf = (xml: string) => {
  const found: Array<Element.Placed & { readonly points: ReadonlyMap<number, string> }> = []
  const start = epochOf(xml)
  for (const axis of Element.named(xml, [...categories, ...values])) {
    if (axis === undefined) return []
    found.push({ ...axis, points: pointsOf(axis.element, start) })
  }
  return found
}

/** Number of rows that hold the points of all axes. */
const countOf = (axes: ReadonlyArray<{ readonly points: ReadonlyMap<number, string> }>): number => {
  let last = -1
  for (const { points } of axes) for (const index of points.keys()) last = Math.max(last, index)
  return last + 1
}

/** An axis with a point for each index; one of two values as the parser knows those of categories. */
const written = (name: string, count: number, points: ReadonlyMap<number, string>): string => {
  const [kind, own] = categories.includes(name) ? ["str", "cat"] : ["num", "val"]
  const all = Array.from(
    { length: count },
    (_, at) => `<pt idx="${at}"><v>${XmlText.escape(points.get(at) ?? "")}</v></pt>`
  )
  const cache = `<${kind}Cache><ptCount val="${count}"/>${all.join("")}</${kind}Cache>`
  return `<${own} xmlns="${space}"><${kind}Ref><f/>${cache}</${kind}Ref></${own}>`
}

const every = (element: Element.Element, name: string): ReadonlyArray<Element.Element> =>
  element.name === name ? [element] : Element.children(element).flatMap((one) => every(one, name))

const formulaOf = (source: Element.Element | undefined): string => {
  const formula = within(source, "f")
  return formula === undefined ? "" : oneLine(Element.text(formula))
}

/** Text of a title, or of the name of a series; the formula of one that is not kept. */
const textOf = (source: Element.Element | undefined): string => {
  if (source === undefined) return ""
  const rich = Element.child(source, "rich")
  if (rich !== undefined) {
    const paragraphs = Element.children(rich, "p").map((one) => every(one, "t").map(Element.text).join(""))
    return oneLine(paragraphs.join(" "))
  }
  const kept = [...pointsOf(source).values()].join(" ")
  const own = Element.child(source, "v")
  return kept || (own === undefined ? formulaOf(source) : oneLine(Element.text(own)))
}

/** Titles that a cell gives as their texts; the parser would put the cell's name before them. */
const titled = (xml: string): ReadonlyArray<Edits.Edit> =>
  Element.replacing(xml, ["title"], (title) => {
    const text = Element.child(title, "tx")
    if (Element.child(text, "strRef") === undefined) return undefined
    return `<title xmlns="${space}"><tx><rich><p xmlns="${drawing}"><r><t>${XmlText.escape(textOf(text))}</t></r></p></rich></tx></title>`
  })

/**
 * The part of a chart with an empty point for each that it leaves out, which the parser would put under the category before it, with dates
 * in the place of their numbers, with the innermost of several levels of categories, and with the texts of titles. The same text where
 * there is nothing to change.
 */
export const completed = (xml: string): string => {
  const axes = axesOf(xml)
  const count = countOf(axes)
  if (count === 0 || count > most) return xml
  const edits = axes.flatMap(({ element, end, points, start }): ReadonlyArray<Edits.Edit> =>
    points.size === 0 ? [] : [{ start, end, text: written(element.name, count, points) }]
  )
  return Edits.edited(
    xml,
    [...titled(xml), ...edits].toSorted((one, other) => one.start - other.start)
  )
}

/** A chart as a table; texts are no Markdown. */
export interface Chart {
  /** Its title on one line; empty when it has none. */
  readonly title: string
  /** Names of the series, above their values; empty above categories. */
  readonly head: ReadonlyArray<string>
  /** Rows as wide as the head, at least one. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

interface Axis {
  readonly points: ReadonlyMap<number, string>
  readonly formula: string
}

const axisOf = (series: Element.Element, names: ReadonlyArray<string>, start: number): Axis | undefined => {
  const source = Element.children(series).find(({ name }) => names.includes(name))
  return source && { points: pointsOf(source, start), formula: formulaOf(source) }
}

/** Numbers from 1, which charts without categories show. */
const numbered = (count: number): Axis => ({
  points: new Map(Array.from({ length: Math.min(count, most) }, (_, index) => [index, String(index + 1)])),
  formula: ""
})

const isSame = (one: Axis, other: Axis): boolean =>
  one.points.size === other.points.size &&
  (one.points.size > 0
    ? [...one.points].every(([index, value]) => other.points.get(index) === value)
    : one.formula === other.formula)

type Column = Axis & { readonly name: string }

const none: Axis = { points: new Map(), formula: "" }

/** The categories, and the values of each series; categories that differ from those before stand before the values of their series. */
const columnsOf = (series: ReadonlyArray<Element.Element>, start: number): ReadonlyArray<Column> => {
  const columns: Array<Column> = []
  const all = series.map((one) => axisOf(one, values, start) ?? none)
  let shared: Axis | undefined
  for (const [at, one] of series.entries()) {
    const place = axisOf(one, categories, start) ?? shared ?? numbered(countOf(all))
    if (shared === undefined || !isSame(shared, place)) columns.push({ ...place, name: "" })
    columns.push({ ...(all[at] ?? none), name: textOf(Element.child(one, "tx")) })
    shared = place
  }
  return columns
}

/** Most series of a chart, which is the limit of Excel. */
const mostSeries = 255

/**
 * The table of a chart: categories in the first column, then the values of each series; a series with categories of its own has them
 * before its values. An axis whose values the chart does not keep has its formula in the first row, and so have all axes where the table
 * would have more than 10,000 rows or `mostCells` cells. Undefined for a chart that cannot be read, without values, or with more than 255 series.
 */
export const read = (xml: string, mostCells: number): Chart | undefined => {
  const chart = Element.child(Element.named(xml, ["chartSpace"]).next().value?.element, "chart")
  const plot = Element.child(chart, "plotArea")
  const series = plot === undefined ? [] : Element.children(plot).flatMap((one) => Element.children(one, "ser"))
  if (series.length === 0 || series.length > mostSeries) return undefined
  const columns = columnsOf(series, epochOf(xml))
  if (columns.every(({ formula, points }) => points.size === 0 && formula === "")) return undefined
  const count = countOf(columns)
  const whole = count <= most && count * columns.length <= mostCells
  const cell = ({ formula, points }: Axis, row: number): string =>
    whole && points.size > 0 ? (points.get(row) ?? "") : row === 0 ? formula : ""
  return {
    title: textOf(Element.child(Element.child(chart, "title"), "tx")),
    head: columns.map(({ name }) => name),
    rows: Array.from({ length: whole ? Math.max(1, count) : 1 }, (_, row) => columns.map((column) => cell(column, row)))
  }
}
