/**
 * The link reference definitions that a paragraph starts with (CommonMark, "Link reference definitions").
 *
 * Each function reads a part of a definition from `at` on and gives where it ends, -1 when there is none. The text is that
 * of the paragraph, its lines without what stands before them in containers and joined by line feeds.
 */

/** Most characters of a label. */
const longestLabel = 999

const isBracket = (unit: number): boolean => unit === 91 || unit === 93

const isSpace = (unit: number): boolean => unit === 32 || unit === 9

/** True for a character of a destination without angle brackets; false at the end of the text. */
const isPlain = (unit: number): boolean => unit > 32 && unit !== 127

const isPunctuation = (unit: number): boolean =>
  (unit >= 33 && unit <= 47) || (unit >= 58 && unit <= 64) || (unit >= 91 && unit <= 96) || (unit >= 123 && unit <= 126)

/** Length of what stands at `at`: an escape or one character. */
const step = (text: string, at: number): number =>
  text.charCodeAt(at) === 92 && isPunctuation(text.charCodeAt(at + 1)) ? 2 : 1

const spacesEnd = (text: string, at: number): number => {
  let end = at
  while (isSpace(text.charCodeAt(end))) {
    end++
  }
  return end
}

/** Spaces, and a line break with the spaces after it. */
const gapEnd = (text: string, at: number): number => {
  const end = spacesEnd(text, at)
  return text.charCodeAt(end) === 10 ? spacesEnd(text, end + 1) : end
}

/** `[label]:`, which is no footnote's. */
const labelEnd = (text: string, at: number): number => {
  let named = false
  let end = at + 1
  if (text.charCodeAt(end) === 94) {
    return -1
  }
  while (end < text.length && !isBracket(text.charCodeAt(end))) {
    named ||= !isSpace(text.charCodeAt(end)) && text.charCodeAt(end) !== 10
    end += step(text, end)
    if (end - at - 1 > longestLabel) {
      return -1
    }
  }
  return named && text.startsWith("]:", end) ? end + 2 : -1
}

/** `<destination>` */
const enclosedEnd = (text: string, at: number): number => {
  for (let end = at + 1; end < text.length; end += step(text, end)) {
    const unit = text.charCodeAt(end)
    if (unit === 62) {
      return end + 1
    }
    if (unit === 60 || unit === 10) {
      return -1
    }
  }
  return -1
}

const destinationEnd = (text: string, at: number): number => {
  if (text.charCodeAt(at) === 60) {
    return enclosedEnd(text, at)
  }
  let open = 0
  let end = at
  while (isPlain(text.charCodeAt(end))) {
    const unit = text.charCodeAt(end)
    open += unit === 40 ? 1 : unit === 41 ? -1 : 0
    if (open < 0) {
      return -1
    }
    end += step(text, end)
  }
  return end > at && open === 0 ? end : -1
}

/** `"title"`, `'title'` or `(title)`, and nothing but spaces after it on its last line. */
const titleEnd = (text: string, at: number): number => {
  const opening = text.charCodeAt(at)
  if (opening !== 34 && opening !== 39 && opening !== 40) {
    return -1
  }
  const closing = opening === 40 ? 41 : opening
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) !== closing) {
    if (opening === 40 && text.charCodeAt(end) === 40) {
      return -1
    }
    end += step(text, end)
  }
  return end < text.length ? lineEnd(text, end + 1) : -1
}

/** End of the line when there are only spaces up to it. */
const lineEnd = (text: string, at: number): number => {
  const end = spacesEnd(text, at)
  return end === text.length || text.charCodeAt(end) === 10 ? end : -1
}

const definitionEnd = (text: string, at: number): number => {
  const label = text.charCodeAt(at) === 91 ? labelEnd(text, at) : -1
  const destination = label < 0 ? -1 : destinationEnd(text, gapEnd(text, label))
  if (destination < 0) {
    return -1
  }
  const gap = gapEnd(text, destination)
  const titled = gap > destination ? titleEnd(text, gap) : -1
  return titled < 0 ? lineEnd(text, destination) : titled
}

/**
 * Number of a paragraph's lines that belong to the definitions that it starts with. Linear: what no definition starts with is
 * not looked at any further.
 */
export const definitionLines = (paragraph: string): number => {
  let lines = 0
  for (let at = 0; at < paragraph.length;) {
    const end = definitionEnd(paragraph, at)
    if (end < 0) {
      return lines
    }
    for (; at < end; at++) {
      lines += paragraph.charCodeAt(at) === 10 ? 1 : 0
    }
    lines++
    at++
  }
  return lines
}
