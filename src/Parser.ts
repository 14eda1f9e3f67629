/**
 * The stage that turns source files into parsed documents.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { fromData, type ParsedDocument } from "./ParsedDocument.ts"
import type { RunStopped } from "./RunState.ts"
import { Client } from "./service/Client.ts"
import { type InvalidOptions, type ParseOptions, validate } from "./service/ParseOptions.ts"
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

/**
 * A parser that asks the client, with the same options for every file. Options outside the bounds of the interface are refused
 * here, before anything is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: ParseOptions) => Effect.Effect<Parser.Service, InvalidOptions, Client> =
  Effect.fnUntraced(function* (options = {}) {
    const client = yield* Client
    const valid = yield* validate(options)
    return Parser.of({
      parse: (file) =>
        Effect.map(client.parse(file, valid), ({ contentHash, data }) => fromData(file, contentHash, data))
    })
  })

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: ParseOptions = {}): Layer.Layer<Parser, InvalidOptions, Client> =>
  Layer.effect(Parser, make(options))

/**
 * Parses one file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parse = (file: SourceFile): Effect.Effect<ParsedDocument, ParseError, Parser> =>
  Effect.flatMap(Parser, (parser) => parser.parse(file))

/**
 * Parses every file of a stream, at most `concurrency` at a time, in the order of the files unless `ordered` is false (then in
 * order of completion). The first failure ends the stream: to go on, handle errors in {@link parse}.
 *
 * Holds at most `concurrency` answers that wait for their turn, and the one given out.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parseAll =
  (options: { readonly concurrency: number; readonly ordered?: boolean | undefined }) =>
  <E, R>(files: Stream.Stream<SourceFile, E, R>): Stream.Stream<ParsedDocument, E | ParseError, R | Parser> =>
    Stream.mapEffect(files, parse, { concurrency: options.concurrency, unordered: options.ordered === false })
