/** The readable texts of HTML: that of its elements, and that of its attributes, comments, scripts and styles. */
import * as CharacterCodes from "./CharacterCodes.ts"
import * as TextView from "./TextView.ts"

export interface HtmlView {
  /** Text of the elements; each block element begins a line. */
  readonly content: TextView.TextView
  /** Attribute values, comments, scripts and styles, a line each. */
  readonly hidden: TextView.TextView
}

/** Elements inside a line. */
const inline = new Set(
  "a abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup u var wbr".split(" ")
)

/** Elements whose content is text up to their end tag. */
const raw = new Set(["script", "style"])

const tagStart = /<(?:!--|!|\?|\/?([a-zA-Z][^\s/>]{0,60}))/g

/** One attribute or the end of the tag. Bounded by the tag itself: sticky, each character is read once. */
const attribute = /\s*(?:(\/?>)|([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?|[^\s])/y

const bytes = /^\s*data:/i

/** Where the text `end` ends at or after `from`, in any case; the end of the source without one. */
const after = (source: string, lower: string, end: string, from: number): number => {
  const at = lower.indexOf(end, from)
  return at < 0 ? source.length : at + end.length
}

/** Reads the attributes from `from`; returns the end of the tag. */
const attributes = (hidden: TextView.Builder, source: string, from: number): number => {
  attribute.lastIndex = from
  for (let match = attribute.exec(source); match !== null; match = attribute.exec(source)) {
    const [whole, close, name, double, single, bare] = match
    if (close !== undefined) return attribute.lastIndex
    const value = double ?? single ?? bare
    if (name === undefined || value === undefined || value === "" || bytes.test(value)) continue
    const quoted = bare === undefined ? 1 : 0
    const end = match.index + whole.length - quoted
    hidden.put(`\n${/^(?:class|id|style)$/i.test(name) ? "" : `${name}: `}`, end, end)
    CharacterCodes.copy(hidden, source, end - value.length, end)
  }
  return source.length
}

const spaces = /[\t\r\n\f]+/g

/** Copies text of an element; a line feed in it is a space. */
const content = (view: TextView.Builder, source: string, start: number, end: number): void => {
  const text = source.slice(start, end)
  let from = 0
  for (const match of text.matchAll(spaces)) {
    CharacterCodes.copy(view, source, start + from, start + match.index)
    from = match.index + match[0].length
    view.put(" ", start + match.index, start + from)
  }
  CharacterCodes.copy(view, source, start + from, end)
}

/** Reads the source once, from left to right. Never fails; markup that is not closed ends with the source. */
export const make = (source: string): HtmlView => {
  const shown = TextView.builder(source)
  const hidden = TextView.builder(source)
  const lower = source.toLowerCase().length === source.length ? source.toLowerCase() : source
  let from = 0
  let pre = 0
  for (;;) {
    tagStart.lastIndex = from
    const match = tagStart.exec(source)
    const start = match?.index ?? source.length
    const copy = pre > 0 ? CharacterCodes.copy : content
    copy(shown, source, from, start)
    if (match === null) break
    const [opening, written] = match
    if (written === undefined) {
      from = opening === "<!--" ? after(source, lower, "-->", start + 4) : after(source, lower, ">", start)
      hidden.put("\n", start, start)
      CharacterCodes.copy(hidden, source, start + opening.length, from)
      continue
    }
    const name = written.toLowerCase()
    const closing = opening.startsWith("</")
    if (name === "pre" || name === "textarea") pre = Math.max(0, pre + (closing ? -1 : 1))
    if (name === "td" || name === "th") shown.put(" | ", start, start)
    else if (!inline.has(name)) shown.put("\n", start, start)
    from = attributes(hidden, source, start + opening.length)
    if (raw.has(name) && !closing) {
      const end = lower.indexOf(`</${name}`, from)
      hidden.put("\n", from, from)
      hidden.copy(from, end < 0 ? source.length : end)
      from = end < 0 ? source.length : end
    }
  }
  return { content: shown.build(), hidden: hidden.build() }
}
