import { type Condition, type Leaf, type Operator, operators, type Order } from "docsluice/Filter"
import * as Conditions from "../shared/Conditions.ts"
import * as Facts from "./Facts.ts"

/** A condition in the query language of OpenSearch and Elasticsearch, over the facts of a document. */
export type FactQuery =
  | { readonly terms: { readonly facts: ReadonlyArray<string> } | { readonly tenant: ReadonlyArray<string> } }
  | { readonly range: { readonly facts: Bounds } }
  | { readonly bool: { readonly filter: ReadonlyArray<FactQuery> } }
  | { readonly bool: { readonly should: ReadonlyArray<FactQuery>; readonly minimum_should_match: 1 } }
  | { readonly bool: { readonly must_not: ReadonlyArray<FactQuery> } }
  | { readonly match_all: object }
  | { readonly match_none: object }

type Bounds = Readonly<Partial<Record<"gt" | "gte" | "lt" | "lte", string>>>

/** Without `contains`: a keyword knows no part of its text that is too long to be indexed. */
export const supported: ReadonlyArray<Operator> = operators.filter((operator) => operator !== "contains")

const anyOf = (facts: ReadonlyArray<string>): FactQuery =>
  facts.length === 0 ? { match_none: {} } : { terms: { facts } }

const inOrder = ({ end, first, of }: ReturnType<typeof Facts.ordered>, order: Order, number: number): FactQuery => {
  const bounds: Readonly<Record<Order, Bounds>> = {
    eq: { gte: of(number), lte: of(number) },
    gt: { gt: of(number), lt: end },
    gte: { gte: of(number), lt: end },
    lt: { gte: first, lt: of(number) },
    lte: { gte: first, lte: of(number) }
  }
  return { range: { facts: bounds[order] } }
}

const leaf = (condition: Leaf): FactQuery => {
  const { subject } = condition
  switch (condition._tag) {
    case "In":
      return anyOf(
        [...condition.texts, ...condition.numbers, ...condition.booleans].map((value) => Facts.equals(subject, value))
      )
    case "Compare":
      return inOrder(Facts.ordered(subject, "number"), condition.order, condition.number)
    case "CompareTime":
      return inOrder(Facts.ordered(subject, "date"), condition.order, condition.instant)
    case "Exists":
      return anyOf([Facts.exists(subject)])
    default:
      return { match_none: {} }
  }
}

/** Both conditions, of which each may be missing. */
export const both = (left: FactQuery | null, right: FactQuery | null): FactQuery | null =>
  left === null || right === null ? (left ?? right) : { bool: { filter: [left, right] } }

export const translate = (condition: Condition): FactQuery =>
  Conditions.translate<FactQuery>(condition, {
    and: (filter) => (filter.length === 0 ? { match_all: {} } : { bool: { filter } }),
    or: (should) => ({ bool: { should, minimum_should_match: 1 } }),
    not: (part) => ({ bool: { must_not: [part] } }),
    leaf
  })
