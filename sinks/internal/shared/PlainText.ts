/**
 * Text for engines that cannot hold every JavaScript string: U+0000 ends a text in SQLite's binding and is refused by PostgreSQL,
 * and half of a surrogate pair has no UTF-8.
 *
 * Each such code unit becomes U+FDD0, a code point that Unicode keeps out of texts, followed by its four hexadecimal digits;
 * U+FDD0 itself too, so that nothing is ever ambiguous. Every other text stays as it is.
 */
const special = /[\0\uFDD0]|\p{Surrogate}/gu

/** Quick test for a text that may hold such a code unit; also matches whole pairs, which a fast test cannot distinguish. */
const suspect = /[\0\uFDD0\uD800-\uDFFF]/

const mark = "\uFDD0"

export const escape = (text: string): string =>
  suspect.test(text)
    ? text.replaceAll(special, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, "0"))
    : text

export const unescape = (text: string): string =>
  text.includes(mark)
    ? text.replaceAll(/\uFDD0([0-9a-f]{4})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text

/** The value as JSON, every string in it escaped: no `\u0000` and no lone half of a pair is left, which `jsonb` refuses. */
export const toJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.includes("\\u") || json.includes(mark)
    ? json.replaceAll(/\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)|\uFDD0/gu, (whole, digits: string | undefined) =>
        whole === mark ? `${mark}fdd0` : digits === undefined ? whole : mark + digits
      )
    : json
}

/** JSON as it was before `toJson` escaped its strings. */
export const fromJson = (json: string): string =>
  json.includes(mark) ? json.replaceAll(/\uFDD0([0-9a-f]{4})/gu, "\\u$1") : json
