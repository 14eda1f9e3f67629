/** The summary of a run as it is kept. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Summary } from "../../../Outcome.ts"
import { corrupted } from "../libsql.ts"

const json = Schema.parseJson(Summary)
const decode = Schema.decodeUnknownEither(json)

export const encode = Schema.encodeSync(json)

/** Null for a run that has not ended. Throws `DatabaseFailure` for a text that is none. */
export const read = (kept: string | null): Summary | null => {
  if (kept === null) return null
  const decoded = decode(kept)
  if (Either.isLeft(decoded)) throw corrupted("the summary of a run is not readable")
  return decoded.right
}
