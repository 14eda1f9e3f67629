/** The plain text of a line of Markdown, as far as a heading needs it: no marks, no addresses. */

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”"
}

const marks = /[\\`*_~![<&]/g

/** Longest line that is looked into; others stay as they are. */
const longest = 2000

const patterns = {
  escape: /\\([!-/:-@[-`{-~])/y,
  code: /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y,
  link: /!?\[((?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*)\]\([ \t]*(?:<[^<>]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\)/y,
  autolink: /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/y,
  named: /&([a-z]{2,6});/y,
  numeric: /&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));/y
} as const

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

const decoded = (codePoint: number): string =>
  codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint < 0xe000)
    ? String.fromCodePoint(codePoint)
    : "\ufffd"

const isPunctuation = (text: string): boolean => /^[\p{P}\p{S}]$/u.test(text)

const isSpace = (text: string): boolean => text === "" || /^\s$/u.test(text)

/** A run of `*`, `_` or `~` that may open or close emphasis. */
interface Run {
  readonly mark: string
  /** Place among the parts. */
  readonly part: number
  left: number
  readonly size: number
  readonly opens: boolean
  readonly closes: boolean
}

const runOf = (text: string, index: number, part: number): Run => {
  const mark = text.charAt(index)
  let end = index
  while (text.charAt(end) === mark) {
    end++
  }
  const before = index === 0 ? "" : text.charAt(index - 1)
  const after = text.charAt(end)
  const leftFlanking = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before))
  const rightFlanking = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after))
  const word = mark === "_"
  return {
    mark,
    part,
    left: end - index,
    size: end - index,
    opens: leftFlanking && (!word || !rightFlanking || isPunctuation(before)),
    closes: rightFlanking && (!word || !leftFlanking || isPunctuation(after))
  }
}

const pairs = (opener: Run, closer: Run): boolean =>
  opener.mark === closer.mark &&
  opener.opens &&
  opener.left > 0 &&
  (closer.mark === "~"
    ? opener.size === closer.size && closer.size <= 2
    : !(
        (opener.closes || closer.opens) &&
        (opener.size + closer.size) % 3 === 0 &&
        (opener.size % 3 !== 0 || closer.size % 3 !== 0)
      ))

/** Takes the marks that make emphasis off the runs (CommonMark, "process emphasis"). */
const match = (runs: ReadonlyArray<Run>): void => {
  runs.forEach((closer, index) => {
    for (let before = index - 1; closer.closes && closer.left > 0 && before >= 0; before--) {
      const opener = runs[before]
      if (opener === undefined) {
        continue
      }
      while (closer.left > 0 && pairs(opener, closer)) {
        const used = closer.mark === "~" ? closer.left : Math.min(opener.left, closer.left) >= 2 ? 2 : 1
        opener.left -= used
        closer.left -= used
        for (const between of runs.slice(before + 1, index)) {
          between.left = -Math.abs(between.left)
        }
      }
    }
  })
}

/** The text of a construct and its length in the source; undefined when none starts here. */
type Reader = (text: string, index: number) => readonly [string, number] | undefined

const escape: Reader = (text, index) => {
  const found = at(patterns.escape, text, index)
  return found === null ? undefined : [found[1] ?? "", found[0].length]
}

const code: Reader = (text, index) => {
  const found = at(patterns.code, text, index)
  if (found === null) {
    return undefined
  }
  const inner = found[2] ?? ""
  const padded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== ""
  return [padded ? inner.slice(1, -1) : inner, found[0].length]
}

const link: Reader = (text, index) => {
  const found = at(patterns.link, text, index)
  return found === null ? undefined : [inlineText(found[1] ?? ""), found[0].length]
}

const autolink: Reader = (text, index) => {
  const found = at(patterns.autolink, text, index)
  return found === null ? undefined : [found[1] ?? "", found[0].length]
}

const entity: Reader = (text, index) => {
  const named = at(patterns.named, text, index)
  const known = named === null ? undefined : entities[named[1] ?? ""]
  if (named !== null && known !== undefined) {
    return [known, named[0].length]
  }
  const numeric = at(patterns.numeric, text, index)
  return numeric === null
    ? undefined
    : [decoded(numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16)), numeric[0].length]
}

/** Constructs by the character that they start with. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ["\\", escape],
  ["`", code],
  ["!", link],
  ["[", link],
  ["<", autolink],
  ["&", entity]
])

/** First character at or after `index` that may be a mark; the length when there is none. */
export const nextMark = (text: string, index: number): number => {
  marks.lastIndex = index
  return marks.exec(text)?.index ?? text.length
}

/**
 * Text without emphasis marks, with the text of links and images in place of them, code without its ticks, escapes and
 * common entities resolved. References and inline HTML stay as they are.
 */
export const inlineText = (text: string): string => {
  if (text.length > longest || nextMark(text, 0) === text.length) {
    return text
  }
  const parts: Array<string> = []
  const runs: Array<Run> = []
  for (let index = 0; index < text.length;) {
    const next = nextMark(text, index)
    if (next > index) {
      parts.push(text.slice(index, next))
      index = next
      continue
    }
    const mark = text.charAt(index)
    if (mark === "*" || mark === "_" || mark === "~") {
      const run = runOf(text, index, parts.length)
      runs.push(run)
      parts.push("")
      index += run.size
      continue
    }
    const found = readers.get(mark)?.(text, index)
    if (found === undefined && mark === "`") {
      const ticks = /`+/y
      ticks.lastIndex = index
      const [all] = ticks.exec(text) ?? [mark]
      parts.push(all)
      index += all.length
      continue
    }
    parts.push(found?.[0] ?? mark)
    index += found?.[1] ?? 1
  }
  match(runs)
  for (const run of runs) {
    parts[run.part] = run.mark.repeat(Math.abs(run.left))
  }
  return parts.join("")
}
