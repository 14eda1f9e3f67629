/**
 * Asks the service to parse a document. One interface, two layers: over HTTP (here) and in this process (`Embedded`).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RunStopped } from "../RunState.ts"
import type { FileError, SourceFile } from "../SourceFile.ts"
import type { ParseOptions } from "./ParseOptions.ts"
import type { ParseData } from "./ParseResponse.ts"
import type { ServiceError } from "./ServiceError.ts"

/**
 * What came back, and the hash of what was sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer {
  readonly data: ParseData
  /** SHA-256 of the bytes that were sent, lower-case hexadecimal. */
  readonly contentHash: string
}

/**
 * @since 0.1.0
 * @category services
 */
export class Client extends Context.Tag("docsluice/service/Client")<Client, Client.Service>() {}

export declare namespace Client {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Base address without credentials, or `embedded` with the engine's version; part of a cache key. */
    readonly identity: string
    /** Parses one file, retries included. Interruption aborts the upload and frees socket and file. */
    readonly parse: (
      file: SourceFile,
      options: ParseOptions
    ) => Effect.Effect<Answer, ServiceError | FileError | RunStopped>
  }
}
