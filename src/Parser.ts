/**
 * The stage that turns source files into parsed documents.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ParsedDocument } from "./ParsedDocument.ts"
import type { RunStopped } from "./RunState.ts"
import type { ServiceError } from "./service/ServiceError.ts"
import type { FileError, SourceFile } from "./SourceFile.ts"

/**
 * Everything that parsing one file can end with: an answer of the service, the file itself, or the stop of the run before the
 * file's turn.
 *
 * @since 0.1.0
 * @category errors
 */
export type ParseError = ServiceError | FileError | RunStopped

/**
 * @since 0.1.0
 * @category services
 */
export class Parser extends Context.Tag("docsluice/Parser")<Parser, Parser.Service>() {}

export declare namespace Parser {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Parses one file with the parser's options, retries included. Holds the answer; interruption frees everything. */
    readonly parse: (file: SourceFile) => Effect.Effect<ParsedDocument, ParseError>
  }
}
