import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A chunk as Markdown with front matter: one member a line, its value as JSON, which YAML reads as it is; the body is `text`,
 * exactly. A text with a lone surrogate, which no UTF-8 file can hold, stands in the front matter too.
 */
export const print = (chunk: DocumentChunk): string => {
  const { text, ...rest } = chunk
  const members = { ...rest, embedding: rest.embedding && Array.from(rest.embedding) }
  const lines: Array<string> = []
  for (const name of names) {
    const value: unknown = name === "text" ? (lone.test(text) ? text : undefined) : Reflect.get(members, name)
    if (value !== undefined) lines.push(`${name}: ${JSON.stringify(value).replaceAll(unprintable, escape)}\n`)
  }
  return `---\n${lines.join("")}---\n${text}`
}

/** None when it is not what `print` gives. */
export const parse = (file: string): Option.Option<DocumentChunk> => {
  const end = file.indexOf("\n---\n", 3)
  if (!file.startsWith("---\n") || end < 0) return Option.none()
  const members = file
    .slice(4, end)
    .split("\n")
    .map((line) => line.replace(member, '"$1":'))
  const body = members.some((line) => line.startsWith('"text":'))
    ? []
    : [`"text":${JSON.stringify(file.slice(end + 5))}`]
  return decode(`{${[...members, ...body].join(",")}}`)
}

const decode = Schema.decodeOption(Schema.parseJson(DocumentChunk))

/** Members in the order of their lines: another order would rewrite every stored file. */
const names = Object.keys(DocumentChunk.fields)

const member = /^([A-Za-z]+): /u
const lone = /\p{Surrogate}/u
/** JSON takes these as they are, YAML does not. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu
const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
