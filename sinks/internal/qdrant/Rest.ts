import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Rest from "../shared/Rest.ts"

/** The result of a change that was waited for. `acknowledged` and `wait_timeout`: the server has it, and has not applied it yet. */
export const Done = Schema.Union(
  Schema.Literal(true),
  Schema.Struct({ status: Schema.Literal("completed", "acknowledged", "wait_timeout") })
)

const isPending = Schema.is(Schema.Struct({ status: Schema.Literal("acknowledged", "wait_timeout") }))

const decodeRefusal = Schema.decodeOption(
  Schema.parseJson(Schema.Struct({ status: Schema.Struct({ error: Schema.String }) }))
)

/** How a server in strict mode refuses a filter. */
const unindexed = /Index required but not found for (".*")(?: of one of the following types: \[([^\]]*)\])?/u

export const dialect: Rest.Dialect = {
  kind: "qdrant",
  server: "Qdrant",
  header: "api-key",
  hidden: "<key>",
  denied: "the key is missing or not accepted",
  missing: "the collection is not there any more",
  said: (body) => Option.match(decodeRefusal(body), { onNone: () => "", onSome: ({ status }) => status.error }),
  unsupported: (status, said) => {
    const [, key, kinds = "any"] = (status === 400 && unindexed.exec(said)) || []
    return key === undefined
      ? null
      : `the server is in strict mode, and refuses a filter by ${key} without an index of it (${kinds}); ingest into the collection again, which makes the indexes of its own keys and of metadata that it writes, or make it with PUT /collections/NAME/index`
  }
}

/** As `rest`, for answers that hold a `result`. */
export const resultsOf =
  (rest: Rest.Rest): Rest.Rest["call"] =>
  (method, path, body, result) =>
    Effect.flatMap(rest.call(method, path, body, Schema.Struct({ result })), ({ result: found }) =>
      isPending(found)
        ? new SinkError({
            sink: rest.sink,
            reason: "Unavailable",
            problem: "the server has not applied a change in time; it is sent again"
          })
        : Effect.succeed(found)
    )
