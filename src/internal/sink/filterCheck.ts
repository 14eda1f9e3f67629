/** The check of a query's filter before a sink's engine sees it. */
import * as Either from "effect/Either"
import { type Operator, parse } from "../../Filter.ts"
import type { CheckedQuery, Query } from "./contract.ts"
import { SinkError } from "./sinkError.ts"

/** The query with its filter as a condition; fails for a filter that is not valid, or uses an operator that the sink lacks. */
export const checked = (
  sink: string,
  operators: ReadonlyArray<Operator>,
  given: Query
): Either.Either<CheckedQuery, SinkError> => {
  const { filter, tenant: _, ...query } = given
  if (filter === undefined) return Either.right(query)
  const parsed = parse(filter)
  if (Either.isLeft(parsed)) {
    const { left: cause } = parsed
    return Either.left(new SinkError({ sink, reason: "Rejected", problem: cause.message, cause }))
  }
  const { condition, uses } = parsed.right
  const stranger = uses.find(({ operator }) => !operators.includes(operator))
  if (stranger !== undefined) {
    return Either.left(
      new SinkError({ sink, reason: "Unsupported", problem: lacking(operators, stranger.operator, stranger.path) })
    )
  }
  return Either.right(
    condition._tag === "And" && condition.parts.length === 0 ? query : { ...query, filter: condition }
  )
}

const lacking = (operators: ReadonlyArray<Operator>, operator: Operator, path: string): string =>
  operators.length === 0
    ? "it cannot filter; search without a filter, or keep the chunks in a store that can"
    : `${path}: this store has no $${operator}; it has ${operators.map((one) => `$${one}`).join(", ")}`
