/** Documents whose bytes tell what their chunks have to hold. */

import { sha256 } from "../../src/internal/base/sha256.ts"

/** A document's content. */
export interface Content {
  /** Two documents with one name and version have the same bytes. */
  readonly name: string
  readonly version: number
  /** Marks that its text holds. */
  readonly parts: number
  /** True for one that the service cannot parse, ever. */
  readonly bad: boolean
}

const encoder = new TextEncoder()

export const bytesOf = ({ bad, name, parts, version }: Content): Uint8Array =>
  encoder.encode(`%PDF-1.7 @@${name}|${version}|${parts}|${bad ? 1 : 0}@@`)

/** Reads the content out of bytes, or of a body that has them; undefined where there is none. */
export const contentIn = (bytes: Uint8Array): Content | undefined => {
  const found = /@@([^|@]+)\|(\d+)\|(\d+)\|([01])@@/u.exec(Buffer.from(bytes).toString("latin1"))
  return found === null
    ? undefined
    : { name: found[1] ?? "", version: Number(found[2]), parts: Number(found[3]), bad: found[4] === "1" }
}

const markOf = ({ name, version }: Content, part: number): string => `«${name} ${version}.${part}»`

/** The marks that the chunks of a document hold together, each once. */
export const marksOf = (content: Content): ReadonlyArray<string> =>
  Array.from({ length: content.parts }, (_, part) => markOf(content, part + 1))

/** All marks in a text. */
export const marksIn = (text: string): ReadonlyArray<string> => text.match(/«[^»]+»/gu) ?? []

export const markdownOf = (content: Content): string =>
  marksOf(content)
    .map((mark, part) => `## Part ${part + 1}\n\n${mark} ${"lorem ipsum dolor sit amet ".repeat(8)}`)
    .join("\n\n")

export const keyOf = ({ name, version }: Content): string => `${name} ${version}`

/** The key of the content that a mark is of. */
export const keyOfMark = (mark: string): string => mark.slice(1).replace(/\.\d+»$/u, "")

export const hashOf = (content: Content): string => sha256(bytesOf(content))
