import type { Block, Page, PageBlocks } from "../base/parseResponse.ts"
import { isRecord } from "../base/rules.ts"

type Unknowns = Readonly<Record<string, unknown>>

const isPositiveInt = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isInt = (value: unknown): value is number => Number.isSafeInteger(value)

export const isNumber = (value: unknown): value is number => typeof value === "number"

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string"

const isNumberOrNull = (value: unknown): value is number | null => value === null || typeof value === "number"

const isUnit = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1

const isBox = (value: unknown): value is NonNullable<Block["bbox"]> =>
  Array.isArray(value) &&
  value.length === 4 &&
  isUnit(value[0]) &&
  isUnit(value[1]) &&
  isUnit(value[2]) &&
  isUnit(value[3])

/** `limit`: the largest offset in this Markdown in any unit; bytes give the largest. */
const isSpan = (value: unknown, limit: number): value is NonNullable<Block["markdownSpan"]> =>
  Array.isArray(value) &&
  value.length === 2 &&
  isInt(value[0]) &&
  isInt(value[1]) &&
  value[0] >= 0 &&
  value[1] >= value[0] &&
  value[1] <= limit

const isConfidence = (value: unknown): value is Block["confidence"] =>
  isRecord(value) && (value["layout"] === null || isUnit(value["layout"])) && isNumberOrNull(value["ocr"])

const isBlock = (value: Unknowns, limit: number): value is Unknowns & Block =>
  typeof value["id"] === "string" &&
  typeof value["type"] === "string" &&
  isTextOrNull(value["label"]) &&
  (value["bbox"] === null || isBox(value["bbox"])) &&
  typeof value["content"] === "string" &&
  (value["markdownSpan"] === null || isSpan(value["markdownSpan"], limit)) &&
  isInt(value["readingOrder"]) &&
  isTextOrNull(value["source"]) &&
  isConfidence(value["confidence"])

const confidenceOf = (value: unknown): Block["confidence"] =>
  isRecord(value)
    ? {
        ...value,
        layout: isUnit(value["layout"]) ? value["layout"] : null,
        ocr: isNumber(value["ocr"]) ? value["ocr"] : null
      }
    : { layout: null, ocr: null }

/** Rounding by the service places edges slightly outside the page; they are clamped. */
const boxOf = (value: unknown): Block["bbox"] => {
  if (!Array.isArray(value) || value.length !== 4) return null
  const inside = value.map((edge: unknown) =>
    isNumber(edge) && edge >= -0.001 && edge <= 1.001 ? Math.min(1, Math.max(0, edge)) : null
  )
  return isBox(inside) ? inside : null
}

const repairedBlock = (value: Unknowns, page: number, index: number, limit: number): Block => ({
  ...value,
  id: typeof value["id"] === "string" ? value["id"] : `p${page}.b${index}`,
  type: typeof value["type"] === "string" ? value["type"] : "text",
  label: typeof value["label"] === "string" ? value["label"] : null,
  bbox: boxOf(value["bbox"]),
  content: typeof value["content"] === "string" ? value["content"] : "",
  markdownSpan: isSpan(value["markdownSpan"], limit) ? value["markdownSpan"] : null,
  readingOrder: isInt(value["readingOrder"]) ? value["readingOrder"] : index,
  source: typeof value["source"] === "string" ? value["source"] : null,
  confidence: isConfidence(value["confidence"]) ? value["confidence"] : confidenceOf(value["confidence"])
})

/** Maps every item; leaves out those that map to undefined. */
const collect = <A>(items: ReadonlyArray<unknown>, each: (item: unknown, index: number) => A | undefined) => {
  const output: Array<A> = []
  for (let index = 0; index < items.length; index++) {
    const item = each(items[index], index)
    if (item !== undefined) output.push(item)
  }
  return output
}

const pageOf = (value: unknown): Page | undefined => {
  if (!isRecord(value)) return undefined
  const { markdown, pageNumber } = value
  if (!isPositiveInt(pageNumber)) return undefined
  return isPage(value) ? value : { ...value, pageNumber, markdown: typeof markdown === "string" ? markdown : "" }
}

const isPage = (value: Unknowns): value is Unknowns & Page =>
  isPositiveInt(value["pageNumber"]) && typeof value["markdown"] === "string"

const pageBlocksOf = (value: unknown, limit: number): PageBlocks | undefined => {
  if (!isRecord(value)) return undefined
  const { height, items, pageNumber, status, width } = value
  if (!isPositiveInt(pageNumber)) return undefined
  return {
    ...value,
    pageNumber,
    width: isNumber(width) ? width : null,
    height: isNumber(height) ? height : null,
    status: typeof status === "string" ? status : "ok",
    items: Array.isArray(items)
      ? collect(items, (item, index) =>
          !isRecord(item) ? undefined : isBlock(item, limit) ? item : repairedBlock(item, pageNumber, index, limit)
        )
      : []
  }
}

/** Pages of an answer. Items that are not pages are left out: a page without its number would be cited wrongly. */
export const pagesOf = (value: unknown): ReadonlyArray<Page> | null | undefined =>
  Array.isArray(value) ? collect(value, pageOf) : value === undefined ? undefined : null

/** Like {@link pagesOf}; members of blocks that cannot be read become null. */
export const blocksOf = (
  value: unknown,
  markdown: string | undefined
): ReadonlyArray<PageBlocks> | null | undefined => {
  const limit = markdown === undefined ? Number.MAX_SAFE_INTEGER : markdown.length * 3
  return Array.isArray(value)
    ? collect(value, (page) => pageBlocksOf(page, limit))
    : value === undefined
      ? undefined
      : null
}
