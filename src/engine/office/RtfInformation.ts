/**
 * Properties of an RTF document, from its information group.
 *
 * Source: Rich Text Format Specification 1.9.1, "Information Group".
 */
import { TextDecoder } from "node:util"
import type { Properties } from "../jobs.ts"

/** Destinations of the group, by key of `metadata`. */
const texts: Readonly<Record<string, string>> = {
  title: "title",
  subject: "subject",
  author: "author",
  keywords: "keywords",
  description: "doccomm"
}

const dates: Readonly<Record<string, string>> = { created: "creatim", modified: "revtim" }

const counts: Readonly<Record<string, string>> = { pageCount: "nofpages", wordCount: "nofwords" }

/** The group stands near the start; a longer one is cut. */
const window = 262_144
const longest = 65_536

/** Text from `{` to the matching `}`, without them. */
const groupAt = (rtf: string, start: number): string => {
  let depth = 0
  for (let at = start; at < Math.min(rtf.length, start + longest); at++) {
    const character = rtf[at]
    if (character === "\\") at++
    else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return rtf.slice(start + 1, at)
  }
  return ""
}

const group = (rtf: string, name: string): string | undefined => {
  const match = new RegExp(`\\{(?:\\\\\\*)?\\\\${name}(?![a-z])`).exec(rtf)
  return match === null ? undefined : groupAt(rtf, match.index).replace(/^(?:\\\*)?\\[a-z]+-?\d* ?/, "")
}

/** A character by its Unicode number with its substitute, characters by code, an escaped character, a control word, a brace. */
const token =
  /\\u(-?\d{1,6}) ?(?:\\'[0-9a-f]{2}|[^\\{}])?|((?:\\'[0-9a-f]{2})+)|\\([\\{}])|\\[a-z]+-?\d* ?|\\.|[{}\r\n]/gi

/** Text of a group, without control words. */
const plain = (content: string, decoder: TextDecoder): string =>
  content
    .replaceAll(token, (_, unicode?: string, codes?: string, escaped?: string) => {
      if (unicode !== undefined) return String.fromCharCode((Number(unicode) + 65_536) % 65_536)
      if (codes !== undefined) return decoder.decode(Buffer.from(codes.replaceAll("\\'", ""), "hex"))
      return escaped ?? ""
    })
    .trim()

const decoderOf = (rtf: string): TextDecoder => {
  try {
    return new TextDecoder(`windows-${/\\ansicpg(\d{1,5})/.exec(rtf)?.[1] ?? "1252"}`)
  } catch {
    return new TextDecoder("windows-1252")
  }
}

const number = (content: string, word: string): string =>
  /\d+/.exec(new RegExp(`\\\\${word}(\\d+)`).exec(content)?.[0] ?? "")?.[0] ?? ""

const dateOf = (content: string): string | undefined => {
  const [year, month, day] = [number(content, "yr"), number(content, "mo"), number(content, "dy")]
  if (year === "" || month === "" || day === "") return undefined
  const padded = (text: string) => text.padStart(2, "0")
  const time = `${padded(number(content, "hr"))}:${padded(number(content, "min"))}:00`
  const date = `${year.padStart(4, "0")}-${padded(month)}-${padded(day)}T${time}`
  // The group states no time zone.
  return Number.isNaN(Date.parse(`${date}Z`)) ? undefined : date
}

/** The document's properties; none without an information group. Never fails. */
export const of = (bytes: Uint8Array): Properties => {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(window, bytes.length)).toString("latin1")
  const info = group(rtf, "info")
  if (info === undefined) return {}
  const decoder = decoderOf(rtf)
  const found: Record<string, string | undefined> = {}
  for (const [key, name] of Object.entries(texts)) found[key] = plain(group(info, name) ?? "", decoder)
  for (const [key, name] of Object.entries(dates)) found[key] = dateOf(group(info, name) ?? "")
  for (const [key, name] of Object.entries(counts)) found[key] = number(info, name)
  return defined(found)
}

const defined = (found: Readonly<Record<string, string | undefined>>): Properties => {
  const output: Record<string, string> = {}
  for (const [key, value] of Object.entries(found)) if (value !== undefined && value !== "") output[key] = value
  return output
}
