/** Redacts a whole answer: what is found in one member is replaced in all of them. */
import type { Block, ParseData } from "../../internal/base/parseResponse.ts"
import type { ReplaceStyle } from "../../service/ParseOptions.ts"
import * as Edits from "../Edits.ts"
import * as CharacterCodes from "./CharacterCodes.ts"
import * as HtmlView from "./HtmlView.ts"
import * as MarkdownView from "./MarkdownView.ts"
import * as Members from "./Members.ts"
import * as Rules from "./Rules.ts"
import * as Shift from "./Shift.ts"
import * as Span from "./Span.ts"
import * as TermSearch from "./TermSearch.ts"
import * as TextView from "./TextView.ts"

export interface Request {
  /** Rules that look for values in every member; `none` when a model has found them. */
  readonly rules: "fast" | "aggressive" | "none"
  /** Buckets that are redacted. */
  readonly entities: ReadonlyArray<Span.Entity>
  readonly replaceStyle: typeof ReplaceStyle.Type
  /** Values that are known already. */
  readonly terms: ReadonlyArray<TermSearch.Term>
}

const value = (text: string, key: string): TextView.TextView => {
  const view = TextView.builder(text)
  if (key !== "") view.put(`${key}: `, 0, 0)
  CharacterCodes.copy(view, text, 0, text.length)
  return view.build()
}

const fileName = (text: string): TextView.TextView => {
  const view = TextView.builder(text)
  const dot = text.lastIndexOf(".")
  for (let at = 0; at < text.length; at++) {
    const joint = /[_-]/.test(text[at] ?? "") || at === dot
    if (joint && !/\d/.test(`${text[at - 1] ?? ""}${text[at + 1] ?? ""}`)) view.put(" ", at, at + 1)
    else view.copy(at, at + 1)
  }
  return view.build()
}

const viewsOf: Readonly<Record<Members.Text["kind"], (text: Members.Text) => ReadonlyArray<TextView.TextView>>> = {
  markdown: ({ text }) => [MarkdownView.make(text)],
  html: ({ text }) => {
    const { content, hidden } = HtmlView.make(text)
    return [content, hidden]
  },
  value: ({ key, text }) => [value(text, key)],
  fileName: ({ text }) => [fileName(text), TextView.plain(text)]
}

const masked = (text: string): string => text.replace(/\S/g, "*")

/** Replacement of the first piece of a value; each further piece is masked or removed. */
const replacement = ({ replaceStyle }: Request, text: string, first: boolean, tag: string): string => {
  if (replaceStyle === "mask") return masked(text)
  return replaceStyle === "remove" || !first ? "" : tag
}

/** The edits of some views of one text, in its order; where two views show the same place, the first one's. */
const editsOf = (
  request: Request,
  { kind, text }: Members.Text,
  found: ReadonlyArray<readonly [TextView.TextView, ReadonlyArray<Span.Span>]>
): ReadonlyArray<Edits.Edit> => {
  const places = found.flatMap(([view, spans]) =>
    Span.union(spans).flatMap((span) => {
      const tag = kind === "html" ? `&lt;${span.entity}&gt;` : `<${span.entity}>`
      return view.ranges(span.start, span.end).map(([start, end], index) => ({
        start,
        end,
        text: replacement(request, text.slice(start, end), index === 0, tag)
      }))
    })
  )
  return Span.union(places).filter((edit) => edit.text !== text.slice(edit.start, edit.end))
}

/** Texts found by the rules, by text: the same text of two members is read once. */
type Detected = Map<string, ReadonlyArray<ReadonlyArray<Span.Span>>>

const keyOf = ({ key, kind, text }: Members.Text): string => `${kind}\n${key}\n${text}`

const detect = (request: Request, text: Members.Text): ReadonlyArray<ReadonlyArray<Span.Span>> => {
  const { entities, rules } = request
  return viewsOf[text.kind](text).map((view) =>
    rules === "none" ? [] : Rules.find(view.text, rules).filter(({ entity }) => entities.includes(entity))
  )
}

/** Passes over one text: a removed value may join what is around it to a new one. */
const mostPasses = 8

interface Redacted {
  readonly text: string
  /** Moves a place of the text before to the text after; undefined inside of a replaced value. */
  readonly shift: Shift.Shift
}

const redactText = (
  request: Request,
  search: TermSearch.TermSearch,
  input: Members.Text,
  detected: ReadonlyArray<ReadonlyArray<Span.Span>>
): Redacted => {
  let text = input
  let shift: Shift.Shift = (at) => at
  for (let pass = 0; pass < mostPasses; pass++) {
    const views = [...viewsOf[text.kind](text), ...(pass > 0 ? [TextView.plain(text.text)] : [])]
    const edits = editsOf(
      request,
      text,
      views.map(
        (view, index) => [view, [...(pass === 0 ? (detected[index] ?? []) : []), ...search.find(view.text)]] as const
      )
    )
    if (edits.length === 0 && pass > 0) return { text: text.text, shift }
    const before = shift
    const here = Shift.shift(edits)
    shift = (at, side) => {
      const moved = before(at, side)
      return moved === undefined ? undefined : here(moved, side)
    }
    text = { kind: text.kind, key: text.key, text: Edits.edited(text.text, edits) }
  }
  throw new Error("values are still found after all of them were replaced")
}

/** A block that is a part of the document's Markdown moves along with it; another one is redacted by itself and has no span. */
const blockOf = (
  block: Block,
  before: string | undefined,
  after: Redacted | undefined,
  own: (content: string) => string
): Block => {
  const { content, markdownSpan } = block
  if (markdownSpan !== null && before !== undefined && after !== undefined) {
    const start = after.shift(markdownSpan[0], "start")
    const end = after.shift(markdownSpan[1], "end")
    if (start !== undefined && end !== undefined && start <= end && before.slice(...markdownSpan) === content) {
      return { ...block, content: after.text.slice(start, end), markdownSpan: [start, end] }
    }
  }
  return { ...block, content: own(content), markdownSpan: null }
}

/**
 * Redacts every member. Throws rather than return a value that was found: the last pass over each text finds none. Holds the answer twice.
 */
export const redact = (data: ParseData, request: Request): ParseData => {
  const detected: Detected = new Map()
  const terms: Array<TermSearch.Term> = request.terms.filter(({ entity }) => request.entities.includes(entity))
  const look = (text: Members.Text): string => {
    if (detected.has(keyOf(text))) return text.text
    const found = detect(request, text)
    detected.set(keyOf(text), found)
    viewsOf[text.kind](text).forEach((view, index) => {
      for (const { end, entity, start } of found[index] ?? []) {
        const value = view.text.slice(start, end)
        terms.push({ entity, text: value })
        // As a number of JSON or part of an address it has no plus sign.
        if (value.startsWith("+")) terms.push({ entity, text: value.slice(1).trim() })
      }
    })
    return text.text
  }
  const { markdown } = data
  Members.rewrite(data, look, (block) => {
    const read =
      markdown !== undefined && block.markdownSpan !== null && markdown.slice(...block.markdownSpan) === block.content
    if (!read) look({ kind: "markdown", text: block.content, key: "" })
    return block
  })
  const search = TermSearch.make(terms)
  const whole = (text: Members.Text): Redacted => redactText(request, search, text, detected.get(keyOf(text)) ?? [])
  const document = markdown === undefined ? undefined : whole({ kind: "markdown", text: markdown, key: "" })
  return Members.rewrite(
    data,
    (text) =>
      text.kind === "markdown" && text.text === markdown && document !== undefined ? document.text : whole(text).text,
    (block) => blockOf(block, markdown, document, (content) => whole({ kind: "markdown", text: content, key: "" }).text)
  )
}
