/** Places in a list or a document where a later call goes on, as texts without meaning to an agent. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ToolErrors from "./toolError.ts"

export interface Cursor<A> {
  readonly write: (place: A) => string
  readonly read: (text: string) => Effect.Effect<A, ToolErrors.ToolError>
}

export const make = <A, I>(schema: Schema.Schema<A, I>): Cursor<A> => {
  const json = Schema.parseJson(schema)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknown(json)
  return {
    write: (place) => Buffer.from(encode(place)).toString("base64url"),
    read: (text) =>
      Effect.mapError(decode(Buffer.from(text, "base64url").toString()), () =>
        ToolErrors.make(
          "Arguments",
          "The cursor is not one of this tool's.",
          "Give `next` of the result before, as it is, or leave the cursor out to begin again."
        )
      )
  }
}
