import { createHash } from "node:crypto"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { instantOf, type Subject, type Value } from "docsluice/Filter"
import { escape } from "../shared/PlainText.ts"

/** Longest name or text that stands in a fact itself; a keyword of OpenSearch has 32,766 bytes at most. */
const longest = 512

/** A name or text as a part of a fact, different for different ones. */
const part = (text: string): string =>
  text.length > longest
    ? `#${createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex")}`
    : `:${escape(text)}`

/** 16 digits whose order as text is the order of the numbers; 0 and -0 are one. */
const sortable = (number: number): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(number + 0)
  const bits = bytes.readBigUInt64BE()
  const ordered = bits >> 63n === 1n ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, "0")
}

/** Beginning of every fact about a subject: the first `=` ends its name. */
const about = (subject: Subject): string =>
  subject.name === "metadata"
    ? `metadata${part(subject.key).replaceAll("%", "%25").replaceAll("=", "%3D")}=`
    : `${subject.name}=`

/** Fact: the subject has a value. */
export const exists = (subject: Subject): string => `${about(subject)}*`

/** Fact: a value of the subject is this one, in type too. */
export const equals = (subject: Subject, value: Value): string => {
  if (typeof value === "number") return `${about(subject)}number${sortable(value)}`
  return typeof value === "boolean" ? `${about(subject)}${value}` : `${about(subject)}text${part(value)}`
}

/** Facts about numbers of a subject, or its dates as milliseconds since 1970: in the order of the numbers. */
export const ordered = (subject: Subject, kind: "number" | "date") => ({
  of: (number: number): string => `${about(subject)}${kind}${sortable(number)}`,
  first: `${about(subject)}${kind}0`,
  /** After the last one: digits are hexadecimal. */
  end: `${about(subject)}${kind}g`
})

const ofValue = (subject: Subject, value: Value): ReadonlyArray<string> => {
  const instant = typeof value === "string" ? instantOf(value) : null
  const fact = equals(subject, value)
  return instant === null ? [fact] : [fact, ordered(subject, "date").of(instant)]
}

const ofValues = (subject: Subject, values: ReadonlyArray<Value>): ReadonlyArray<string> =>
  values.length === 0 ? [] : [exists(subject), ...values.flatMap((value) => ofValue(subject, value))]

/** Everything that a filter may ask of a chunk, each as one keyword. */
export const ofChunk = (chunk: DocumentChunk): ReadonlyArray<string> => [
  ...new Set([
    ...ofValues({ name: "source" }, [chunk.source]),
    ...ofValues({ name: "documentId" }, [chunk.documentId]),
    ...ofValues(
      { name: "heading" },
      chunk.headingPath.map(({ text }) => text)
    ),
    ...ofValues({ name: "kind" }, chunk.kinds),
    ...ofValues({ name: "page" }, chunk.pages),
    ...Object.entries(chunk.metadata).flatMap(([key, value]) =>
      ofValues({ name: "metadata", key }, typeof value === "object" ? value : [value])
    )
  ])
]
