/** The meaning of a filter: the rule that every engine's translation is compared with. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { instantOf } from "./instant.ts"
import type { Condition, Leaf, Order, Subject } from "./syntax.ts"

export type Matched = Pick<DocumentChunk, "documentId" | "headingPath" | "kinds" | "metadata" | "pages" | "source">

type Values = ReadonlyArray<string | number | boolean>

const valuesOf = (chunk: Matched, subject: Subject): Values => {
  switch (subject.name) {
    case "source":
      return [chunk.source]
    case "documentId":
      return [chunk.documentId]
    case "heading":
      return chunk.headingPath.map(({ text }) => text)
    case "kind":
      return chunk.kinds
    case "page":
      return chunk.pages
    default: {
      const value = memberOf(chunk, subject.key)
      return value === undefined ? [] : typeof value === "object" ? value : [value]
    }
  }
}

const memberOf = ({ metadata }: Matched, key: string) => (Object.hasOwn(metadata, key) ? metadata[key] : undefined)

const compares = (order: Order, left: number, right: number): boolean => {
  switch (order) {
    case "eq":
      return left === right
    case "gt":
      return left > right
    case "gte":
      return left >= right
    case "lt":
      return left < right
    default:
      return left <= right
  }
}

const holds = (leaf: Leaf, chunk: Matched): boolean => {
  const { subject } = leaf
  const any = (test: (value: string | number | boolean) => boolean) => valuesOf(chunk, subject).some(test)
  switch (leaf._tag) {
    case "In": {
      const wanted = new Set<string | number | boolean>([...leaf.texts, ...leaf.numbers, ...leaf.booleans])
      return any((value) => wanted.has(value))
    }
    case "Compare":
      return any((value) => typeof value === "number" && compares(leaf.order, value, leaf.number))
    case "CompareTime":
      return any((value) => {
        const instant = typeof value === "string" ? instantOf(value) : null
        return instant !== null && compares(leaf.order, instant, leaf.instant)
      })
    case "Contains": {
      const whole = subject.name === "metadata" && typeof memberOf(chunk, subject.key) === "object"
      return any((value) => (whole ? value === leaf.text : typeof value === "string" && value.includes(leaf.text)))
    }
    default:
      return any(() => true)
  }
}

/** True when the condition holds for the chunk; pure and total. */
export const matches = (condition: Condition, chunk: Matched): boolean => {
  switch (condition._tag) {
    case "And":
      return condition.parts.every((part) => matches(part, chunk))
    case "Or":
      return condition.parts.some((part) => matches(part, chunk))
    case "Not":
      return !matches(condition.part, chunk)
    default:
      return holds(condition, chunk)
  }
}
