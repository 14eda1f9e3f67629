import * as Schema from "effect/Schema"

/** A stamp's text as a JSON object, for targets that keep their own members next to it. */
export const Members = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
