/**
 * Charts of Word documents and presentations as the parser reads them: it makes a table of the points in their order, whatever their indices are.
 *
 * Source: ECMA-376 part 1, 21.2 (DrawingML charts).
 */
import * as Edits from "../../Edits.ts"
import * as Element from "../markup/Element.ts"
import * as XmlText from "../XmlText.ts"

const space = "http://schemas.openxmlformats.org/drawingml/2006/chart"

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

/** A date of a number of days, where the format of the numbers is one of dates. */
const valueOf = (value: string, format: string): string => {
  const days = Number(value)
  const isDate = /[ymd]/iu.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gu, "")) && !/general/iu.test(format)
  if (!isDate || value === "" || !Number.isFinite(days) || Math.abs(days) > 1_000_000) return value
  const date = new Date(Math.round((days - epoch) * 86_400_000)).toISOString()
  return Number.isInteger(days) ? date.slice(0, 10) : date.slice(0, 16)
}

/** Values of points by their index; of several levels those of the innermost. */
const pointsOf = (source: Element.Element | undefined): ReadonlyMap<number, string> => {
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
      if (Number.isInteger(index)) found.set(index, format === undefined ? value : valueOf(value, format))
    }
  }
  return found
}

const categories = ["cat", "xVal"]

const values = ["val", "yVal"]

/** Places of the values of a chart, each with its points; empty when one cannot be read. */
const axesOf = (xml: string) => {
  const found: Array<Element.Placed & { readonly points: ReadonlyMap<number, string> }> = []
  for (const axis of Element.named(xml, [...categories, ...values])) {
    if (axis === undefined) return []
    found.push({ ...axis, points: pointsOf(axis.element) })
  }
  return found
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

/**
 * The part of a chart with an empty point for each that it leaves out, which the parser would put under the category before it, with dates
 * in the place of their numbers, and with the innermost of several levels of categories. The same text where there is nothing to change.
 */
export const completed = (xml: string): string => {
  const axes = axesOf(xml)
  const last = Math.max(-1, ...axes.flatMap(({ points }) => [...points.keys()]))
  if (last < 0 || last >= most) return xml
  const edits = axes.flatMap(({ element, end, points, start }): ReadonlyArray<Edits.Edit> =>
    points.size === 0 ? [] : [{ start, end, text: written(element.name, last + 1, points) }]
  )
  return Edits.edited(xml, edits)
}
