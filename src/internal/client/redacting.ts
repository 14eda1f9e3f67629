import * as Either from "effect/Either"
import { identity } from "effect/Function"
import { parseJson } from "../base/json.ts"
import { isRecord } from "../base/rules.ts"

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/** Keys of this length and above are removed wherever they stand; a shorter one may well be a part of a word. */
const unmistakable = 16

const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)

const pattern = (form: string): string =>
  form.length < unmistakable ? `(?<![A-Za-z0-9])${escaped(form)}(?![A-Za-z0-9])` : escaped(form)

/** Removes secrets from a text, as they are and as parts of an address; a short one only where it stands by itself. */
export const redacting = (secrets: ReadonlyArray<string>): Redact => {
  const forms = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
  if (forms.length === 0) return identity
  const any = new RegExp(forms.map(pattern).join("|"), "g")
  return (text) => (forms.some((form) => text.includes(form)) ? text.replaceAll(any, "<redacted>") : text)
}

/** Levels of nesting that are looked through; what lies deeper is left out rather than trusted. */
const deepest = 64

/** Removes a key from all strings in a JSON value, names of members included; the value itself when it holds none. */
export const redactedValue = (redact: Redact, value: unknown, depth: number = 0): unknown => {
  if (typeof value === "string") return redact(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= deepest) return null
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactedValue(redact, item, depth + 1))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  return isRecord(value) ? redactedMembers(redact, value, (member) => redactedValue(redact, member, depth + 1)) : value
}

const redactedMembers = (
  redact: Redact,
  record: Readonly<Record<string, unknown>>,
  redacted: (value: unknown, name: string) => unknown
): Readonly<Record<string, unknown>> => {
  let changed = false
  const members = Object.entries(record).map(([name, value]) => {
    const member = [redact(name), redacted(value, name)] as const
    changed ||= member[0] !== name || member[1] !== value
    return member
  })
  return changed ? Object.fromEntries(members) : record
}

/** Members of `data` that hold the document rather than words about it. */
const content: ReadonlySet<string> = new Set([
  "markdown",
  "pages",
  "blocks",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "json",
  "answer",
  "highlights",
  "rawBase64",
  "screenshot",
  "audio",
  "video",
  "actions",
  "changeTracking",
  "branding",
  "product",
  "menu"
])

const redactedData = (redact: Redact, data: unknown): unknown =>
  isRecord(data) ? redactedExcept(redact, data, content) : redactedValue(redact, data)

/**
 * Removes a key from all that the body of a success says about a document: warnings, metadata, members that are unknown. The
 * document's content stays as it is. Returns the body itself when the key is not in it.
 */
export const redactedAnswer = (redact: Redact, body: unknown): unknown =>
  redact !== identity && isRecord(body)
    ? redactedMembers(redact, body, (value, name) =>
        name === "data" ? redactedData(redact, value) : redactedValue(redact, value)
      )
    : body

/** Removes a key from all members of a JSON object except those named, which hold content. Returns the body itself when the key is not in it. */
export const redactedExcept = (redact: Redact, body: unknown, content: ReadonlySet<string>): unknown =>
  redact !== identity && isRecord(body)
    ? redactedMembers(redact, body, (value, name) => (content.has(name) ? value : redactedValue(redact, value)))
    : body

/** Removes a key from a body that may be JSON, whatever escapes it is written with. */
export const redactedText = (redact: Redact, text: string): string => {
  const body = parseJson(text)
  if (Either.isLeft(body)) return redact(text)
  const redacted = redactedValue(redact, body.right)
  return redacted === body.right ? text : JSON.stringify(redacted)
}
