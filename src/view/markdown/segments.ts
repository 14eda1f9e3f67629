/**
 * Divides Markdown into segments that are rendered one by one, so that a document of any length shows at once. A long table or fence is
 * divided between two lines; each part then begins with a copy of what opens it.
 */

/** `[start, end)` of the Markdown; `prefix` opens what was open before `start`, `suffix` closes what is open at `end`. */
export interface Segment {
  readonly start: number
  readonly end: number
  readonly prefix: string
  readonly suffix: string
}

/** UTF-16 code units after which a segment ends at the next place that allows it. */
const enough = 4000

/** Code units after which it ends between any two lines. */
const most = 8000

type Inside =
  | { readonly kind: "text" }
  | { readonly kind: "fence"; readonly opening: string; readonly mark: string }
  | { readonly kind: "table"; readonly head: string }
  | { readonly kind: "html" }

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
const delimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

const text: Inside = { kind: "text" }

const next = (inside: Inside, line: string, previous: string): Inside => {
  switch (inside.kind) {
    case "fence": {
      const closing = fence.exec(line)
      const closes = closing?.[1]?.startsWith(inside.mark) === true && closing[2]?.trim() === ""
      return closes ? text : inside
    }
    case "html":
      return /<\/table>/i.test(line) ? text : inside
    case "table":
      return line.trim() === "" ? text : inside
    default: {
      const opened = fence.exec(line)
      const mark = opened?.[1]
      if (mark !== undefined && !(mark.startsWith("`") && opened?.[2]?.includes("`") === true)) {
        return { kind: "fence", opening: `${line.trim()}\n`, mark }
      }
      if (/^ {0,3}<table[\s>]/i.test(line)) return /<\/table>/i.test(line) ? text : { kind: "html" }
      if (line.includes("|") && previous.includes("|") && delimiter.test(line)) {
        return { kind: "table", head: `${previous}\n${line}\n` }
      }
      return text
    }
  }
}

const openingOf = (inside: Inside): string => {
  switch (inside.kind) {
    case "fence":
      return inside.opening
    case "table":
      return inside.head
    case "html":
      return "<table>\n"
    default:
      return ""
  }
}

const closingOf = (inside: Inside): string =>
  inside.kind === "fence" ? `\n${inside.mark}\n` : inside.kind === "html" ? "\n</table>\n" : ""

/** A segment may end before this line: nothing that began earlier goes on in it. */
const begins = (line: string, previous: string): boolean =>
  /^#{1,6}[ \t]/.test(line) || (previous.trim() === "" && /^[^\s>*+\-\d|]/.test(line))

/** In order and without a gap; a line of more than 8,000 code units is divided as well. */
export const segments = (markdown: string): ReadonlyArray<Segment> => {
  const found: Array<Segment> = []
  let inside: Inside = text
  let start = 0
  let prefix = ""
  let previous = ""
  const cut = (end: number) => {
    if (end <= start) return
    found.push({ start, end, prefix, suffix: closingOf(inside) })
    start = end
    prefix = openingOf(inside)
  }
  for (let at = 0; at < markdown.length;) {
    const feed = markdown.indexOf("\n", at)
    const end = feed < 0 ? markdown.length : feed + 1
    const line = markdown.slice(at, feed < 0 ? end : feed).replace(/\r$/, "")
    const size = at - start
    // A row of HTML goes on over lines; it is whole where the next one opens.
    const between = inside.kind !== "html" || /^\s*<tr[\s>]/i.test(line)
    if ((size > enough && inside.kind === "text" && begins(line, previous)) || (size > most && between)) cut(at)
    inside = next(inside, line, previous)
    for (let from = at + most; inside.kind !== "html" && from < end; from += most) cut(from)
    previous = line
    at = end
  }
  inside = text
  if (start < markdown.length) found.push({ start, end: markdown.length, prefix, suffix: "" })
  return found
}

/** Height in pixels that a segment is thought to take before it is rendered. */
export const guessedHeight = ({ end, start }: Segment): number => Math.max(40, ((end - start) / 80) * 26)
