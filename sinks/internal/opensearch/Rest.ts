import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Rest from "../shared/Rest.ts"

/** The problem of an answer, or of one item of a bulk call. */
export const Problem = Schema.Struct({ type: Schema.String, reason: Schema.optional(Schema.NullOr(Schema.String)) })

export const inWords = ({ reason, type }: typeof Problem.Type): string => `${type}${reason ? `, ${reason}` : ""}`

const decodeRefusal = Schema.decodeOption(Schema.parseJson(Schema.Struct({ error: Problem })))

/** The interface that OpenSearch and Elasticsearch share. */
export const dialect: Rest.Dialect = {
  kind: "opensearch",
  server: "OpenSearch or Elasticsearch",
  header: "authorization",
  hidden: "<authorization>",
  denied: "the credentials are missing, not accepted or not enough",
  missing: "the index is not there any more",
  said: (body) => Option.match(decodeRefusal(body), { onNone: () => "", onSome: ({ error }) => inWords(error) })
}
