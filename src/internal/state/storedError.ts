/** Errors of documents as they are stored and sent. */
import * as Schema from "effect/Schema"
import { DocumentError, Foreign, tagOf } from "../../Outcome.ts"
import { known } from "../base/wireFields.ts"

/** Tag and message, which every version reads, and the error itself where its class is known. */
export const fields = {
  tag: Schema.String,
  message: Schema.String,
  error: known(DocumentError)
}

/** An error as it was read. */
interface Stored {
  readonly tag: string
  readonly message: string
  readonly error?: DocumentError | undefined
}

/** Tag and message say all of a `Foreign`. */
export const of = (error: DocumentError): Stored => ({
  tag: tagOf(error),
  message: error.message,
  ...(error._tag !== "Foreign" && { error })
})

export const errorOf = ({ error, message, tag }: Stored): DocumentError => error ?? new Foreign({ tag, message })
