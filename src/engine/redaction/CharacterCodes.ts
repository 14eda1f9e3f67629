/**
 * Characters written as codes: references of HTML, and percent-encoded bytes of addresses. Invisible ones, such as soft hyphens, are left
 * out.
 */
import type { Builder } from "./TextView.ts"

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  commat: "@",
  period: ".",
  plus: "+",
  lowbar: "_",
  hyphen: "-",
  shy: "",
  ndash: "–",
  mdash: "—",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  ecirc: "ê",
  euml: "ë",
  Eacute: "É",
  agrave: "à",
  acirc: "â",
  aacute: "á",
  ccedil: "ç",
  iacute: "í",
  icirc: "î",
  iuml: "ï",
  ntilde: "ñ",
  oacute: "ó",
  ocirc: "ô",
  uacute: "ú",
  ugrave: "ù",
  aring: "å",
  oslash: "ø",
  aelig: "æ"
}

const numeric = (digits: string, radix: number): string | undefined => {
  const code = parseInt(digits, radix)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined
}

const bytesOf = (code: string): string | undefined => {
  try {
    const text = decodeURIComponent(code)
    return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** Text of one code; undefined when it stands for itself. */
const decoded = (code: string): string | undefined => {
  if (code.startsWith("%")) return bytesOf(code)
  if (!code.startsWith("&")) return ""
  const name = code.slice(1, -1)
  if (!name.startsWith("#")) return named[name]
  return /^#x/i.test(name) ? numeric(name.slice(2), 16) : numeric(name.slice(1), 10)
}

const code =
  /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]{2,8});|%[2-7][\dA-Fa-f]|%[CcDd][\dA-Fa-f]%[89AaBb][\dA-Fa-f]|[\u00AD\u200B\u2060\uFEFF]/g

/** Copies the source from `start` to `end` to the view, with its codes decoded. Linear. */
export const copy = (view: Builder, source: string, start: number, end: number): void => {
  const text = source.slice(start, end)
  let from = 0
  for (const match of text.matchAll(code)) {
    const sign = decoded(match[0])
    if (sign === undefined) continue
    const to = match.index + match[0].length
    view.copy(start + from, start + match.index)
    view.put(sign, start + match.index, start + to)
    from = to
  }
  view.copy(start + from, end)
}
