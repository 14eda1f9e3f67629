/**
 * The document parser of the embedded service: the common back end of the server and the in-process client.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Extension } from "../internal/base/fileType.ts"
import type { ParseResponse } from "../internal/base/parseResponse.ts"
import type * as ParseOptions from "./ParseOptions.ts"
import type { CataloguedError, DocumentUnparsable } from "./ServiceError.ts"

/**
 * A document as an engine takes it: validated name, whole bytes.
 *
 * @since 0.1.0
 * @category models
 */
export interface EngineInput {
  /** The name it was uploaded under; comes back as `metadata.sourceURL`. */
  readonly filename: string
  readonly extension: Extension
  readonly bytes: Uint8Array
}

/**
 * A large document as an engine may take it: in a file, so that this process need not hold it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EngineFile {
  /** The name it was uploaded under; comes back as `metadata.sourceURL`. */
  readonly filename: string
  readonly extension: Extension
  readonly content: FileContent
}

/**
 * The bytes of a document in a file. They are there until the call of the engine ends.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileContent {
  /** Number of bytes. */
  readonly length: number
  /**
   * The bytes from `start` to before `end`, read synchronously: the file was just written, so they are in the system's cache. Throws when
   * they cannot be read.
   */
  readonly slice: (start: number, end: number) => Uint8Array
}

/**
 * A document that cannot be parsed, or any row of the catalogue. The embedded engine fails with `BadRequest` for options that it cannot
 * serve, `PromptInjectionDetected`, `RequestTimeout`, `UnprocessableEntity`, `InternalServerError` for its own faults, and
 * `ServiceUnavailable` while it is being stopped; an engine in front of another service passes on that one's answers.
 *
 * @since 0.1.0
 * @category errors
 */
export type EngineError = CataloguedError | DocumentUnparsable

/**
 * `ocr`: recognises the text of scans. `parts`: heeds `inParts` of the options, so that it ends whatever the document is.
 *
 * @since 0.1.0
 * @category models
 */
export type Ability = "ocr" | "parts"

/**
 * @since 0.1.0
 * @category services
 */
export class Engine extends Context.Tag("docsluice/service/Engine")<Engine, Engine.Service>() {}

export declare namespace Engine {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Names engine and version; part of the cache key, so it changes when answers change. */
    readonly version: string
    /** Optional abilities; default none. */
    readonly abilities?: ReadonlyArray<Ability> | undefined
    /** Number of documents that it parses at a time; absent when there is no such number. A server makes further ones wait, in turns. */
    readonly parsers?: number | undefined
    /**
     * Parses one document within `options.timeout`. An answer that lacks something says so in `metadata.lacked`: `ocr`, and
     * `time N` where N milliseconds were not enough. Interruption frees what the parse holds. No document can end or
     * block the host process.
     */
    readonly parse: (input: EngineInput, options: ParseOptions.Resolved) => Effect.Effect<ParseResponse, EngineError>
    /** As `parse`, with the same answers, for a document in a file. Without it such a document is read into memory for `parse`. */
    readonly parseFile?: (
      input: EngineFile,
      options: ParseOptions.Resolved
    ) => Effect.Effect<ParseResponse, EngineError>
    /**
     * Runs a call of `parse` once a parser for that type is free, however long that takes, so that its `timeout` counts the
     * parsing only. For callers in this process; without it a call that waits longer than its `timeout` ends with a 408 of
     * code `CONCURRENCY_QUEUE_TIMEOUT`.
     */
    readonly whenFree?: <A, E, R>(extension: Extension, call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
}
