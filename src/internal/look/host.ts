/** The server that a page belongs to: who calls, and how a document is parsed for them. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { EngineFile, FileContent } from "../../service/Engine.ts"
import type * as ParseOptions from "../../service/ParseOptions.ts"
import type { ParseResponse } from "../base/parseResponse.ts"
import type { AnsweredError } from "../server/api.ts"
import type { Refused } from "./refused.ts"

/** The caller of a request, by its key. */
export interface Caller {
  /** Documents belong to the plan of the key that brought them, without plans to the key. */
  readonly owner: string
  /** True when the plan requires that nothing is retained. */
  readonly zeroDataRetention: boolean
  /** Parses within the plan: rate, places, credits. */
  readonly parse: (file: EngineFile, options: ParseOptions.Resolved) => Effect.Effect<ParseResponse, AnsweredError>
  /** Runs `self`, which reads a text without the service, within the plan; it costs no credits. */
  readonly read: <A>(
    file: { readonly filename: string; readonly content: FileContent },
    options: ParseOptions.Resolved,
    self: Effect.Effect<A, Refused>
  ) => Effect.Effect<A, Refused | AnsweredError>
}

export interface Host {
  /** True when calls need a key. */
  readonly keyed: boolean
  /** False when every plan requires that nothing is retained. */
  readonly pictures: boolean
  readonly identify: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Caller, AnsweredError>
  /** An upload of which less than 10 KB a second arrive over this time ends with a 408. */
  readonly idleTimeout: Duration.DurationInput
  /** Folder of the uploads; undefined for the system's folder for temporary files. */
  readonly spool: string | undefined
}
