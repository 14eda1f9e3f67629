/** The page of the server: what it keeps of dropped documents, and what it sends to the browser. */
/*
 * These are types only, so that the browser's part loads nothing of the server.
 *
 * All paths lie below `/_look/`. Every refusal is a {@link Refusal} with a status of 400 or above. Where the server has keys, each call but
 * those for the page's own files and `settings` carries one as `Authorization: Bearer KEY`.
 *
 * | call | request | answer |
 * |---|---|---|
 * | `GET settings` | | {@link Settings} |
 * | `POST documents?name=NAME` | the file's bytes | 201 {@link Received} |
 * | `POST samples/NAME` | | 201 {@link Received} |
 * | `POST documents/ID/parse` | {@link ParseRequest} | {@link Parsed} |
 * | `GET documents/ID/progress` | | {@link Progress} of the parse that goes on, or null |
 * | `POST documents/ID/chunks` | {@link ChunkRequest} | {@link Chunked}, of the last parse |
 * | `POST documents/ID/lines` | {@link LinesRequest} | the chunks as JSON lines, as `docsluice chunks` prints them |
 * | `GET documents/ID/pages/N?width=W` | | a PNG of the page as it is shown, W pixels wide, 200 to 2400: the nearest to W |
 * | `DELETE documents/ID` | | 204 |
 * | `POST search` | {@link SearchRequest} | {@link Found} |
 * | `GET hits/ID` | | {@link HitView} |
 * | `GET hits/ID/pages/N?width=W` | | a PNG, as above |
 */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { ParseResponse } from "../base/parseResponse.ts"

/** A call that was refused or failed. */
export interface Refusal {
  readonly error: {
    /** Tag of the typed error. */
    readonly tag: string
    readonly message: string
    /** What helps, in one sentence; null where nothing is known to. */
    readonly remedy: string | null
  }
}

/** What the page has to know before anything is dropped. */
export interface Settings {
  readonly version: string
  /** True when calls need a key. */
  readonly keyed: boolean
  /** False where no picture of a page may be made: `zeroDataRetention`. */
  readonly pictures: boolean
  /** Extensions that can be dropped, without a dot. */
  readonly extensions: ReadonlyArray<string>
  /** Bytes of the largest file. */
  readonly maxBytes: number
  /** Time in milliseconds after which a file is removed from the server. */
  readonly keptFor: number
  /** Documents to try, which the package holds. */
  readonly samples: ReadonlyArray<{ readonly name: string; readonly title: string; readonly bytes: number }>
  /** Documents that were given at the start (`docsluice look FILE…`), to be shown at once. */
  readonly documents: ReadonlyArray<Received>
  /** The store that can be asked; null without one. */
  readonly store: StoreSettings | null
}

/** The store that can be asked. */
export interface StoreSettings {
  /** The target without its credentials. */
  readonly name: string
  /** True when the query is compared by its meaning too, by a model. */
  readonly vectors: boolean
  /** Source of the order of the first hits, in a few words; null for that of the store. */
  readonly reranked: string | null
  readonly documents: number | null
  readonly chunks: number | null
}

/** A file that the server holds. */
export interface Received {
  /** 32 hexadecimal digits that cannot be guessed. */
  readonly id: string
  readonly name: string
  readonly bytes: number
  /** Pages that can be drawn; 0 for a format without pages. */
  readonly pages: number
  /** True for a type that the service does not take: it is read on the server itself, as it stands. */
  readonly text: boolean
  /** Name of the root that it was given from, `uploads` for one that was dropped: the first part of its id in a store. */
  readonly root: string
  /**
   * Time at which it is removed, in milliseconds since the epoch; each call about it moves this on. Null for one that was given at the
   * start and stays.
   */
  readonly until: number | null
}

export interface ParseRequest {
  readonly options: ParseOptions
}

/** Pages of a parse that are done. */
export interface Progress {
  /** `recognised`: those of scans, after all pages were read. */
  readonly step: "read" | "recognised"
  readonly done: number
  readonly of: number
}

/** The answer of the service with what the page needs in order to show it. */
export interface Parsed {
  /** Body of the interface's answer. */
  readonly answer: ParseResponse
  /** True for a text that is not Markdown, such as JSON: it is shown as it stands. */
  readonly verbatim: boolean
  /** Sizes of the pages as they are shown, in points, in page order; empty for a format without pages. */
  readonly pages: ReadonlyArray<{ readonly number: number; readonly width: number; readonly height: number }>
  /** Places of blocks in the Markdown, in order of `start`; blocks without a place are left out. */
  readonly spans: ReadonlyArray<{ readonly block: string; readonly start: number; readonly end: number }>
  /** Problems that the answer reports. */
  readonly warnings: ReadonlyArray<string>
  /** Time of the parse in milliseconds. */
  readonly took: number
}

/** Settings of chunks, as the command line takes them. */
export interface ChunkRequest {
  readonly chunker: "auto" | "blocks" | "markdown" | "pages"
  readonly maxTokens: number
  readonly overlap: number
  readonly minTokens: number
  readonly tokenizer: string
}

/** Ids of documents and chunks are those of this root. */
export interface LinesRequest extends ChunkRequest {
  readonly root: string
}

/** A chunk; its `text` begins at `start` of the Markdown and ends at `end`, UTF-16 code units. */
export type Chunk = Pick<
  DocumentChunk,
  | "id"
  | "index"
  | "start"
  | "end"
  | "text"
  | "embedText"
  | "tokens"
  | "headingPath"
  | "kinds"
  | "notes"
  | "boxes"
  | "blockIds"
  | "pages"
>

/** A part of the Markdown that no chunk holds. */
export interface Gap {
  readonly start: number
  readonly end: number
  /** `page marker`, the type of its block with its page (`page header, page 2`), or `text`. */
  readonly what: string
}

export interface Chunked {
  readonly chunks: ReadonlyArray<Chunk>
  /** In order of `start`. */
  readonly gaps: ReadonlyArray<Gap>
  readonly warnings: ReadonlyArray<string>
  /** Time of the splitting in milliseconds. */
  readonly took: number
}

export interface SearchRequest {
  readonly query: string
  /** Most hits, 1 to 50. */
  readonly limit: number
  /** Relevance below which hits are left out, 0 to 1; default `ChunkSink.defaultMinScore`. */
  readonly minScore?: number | undefined
  /** Hits to leave out before the first one, 0 to 1000; default 0. */
  readonly offset?: number | undefined
  /** Most hits of one document, 1 to 50; default: all. */
  readonly perDocument?: number | undefined
  /** How much hits that repeat others are put back, 0 to 1; default 0. */
  readonly diversity?: number | undefined
}

/** Why a hit has no picture of its page; `unverified` when nothing tells which bytes its file had. */
export type Missing = "no-pages" | "no-root" | "gone" | "changed" | "outside" | "not-readable" | "unverified"

/** A page of a hit's document with its boxes. */
export interface HitPage {
  readonly number: number
  /** Points, as it is shown; where there is no picture, those of a sheet of A4. */
  readonly width: number
  readonly height: number
}

export interface Hit {
  /** Names this hit in calls for its pages; cannot be guessed. */
  readonly id: string
  readonly chunk: Chunk & Pick<DocumentChunk, "documentId" | "source">
  /** File and place in one line: `contract.pdf, p. 3–4`. */
  readonly citation: string
  /** As `docsluice search --json` has them. */
  readonly score: number
  readonly relevance: number | null
  readonly similarity: number | null
  readonly matched: number | null
  readonly highlights: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** True for a passage of a text that is not Markdown, such as JSON: it is shown as it stands. */
  readonly verbatim: boolean
  /** Pages on which the chunk has boxes, in order, else those that it touches; sheets of A4 until {@link HitView} tells their sizes. */
  readonly pages: ReadonlyArray<HitPage>
  /** Positions among the chunk's boxes of those of figures. */
  readonly figures: ReadonlyArray<number>
  /** Null when the document's file is there with the size that it had; {@link HitView} tells if it has its bytes too. */
  readonly missing: NoPicture | null
}

export interface NoPicture {
  readonly reason: Missing
  readonly message: string
  readonly remedy: string | null
}

/** Pages of a hit, after its document's file was read. */
export interface HitView {
  readonly pages: ReadonlyArray<HitPage>
  /** Null when the pages can be drawn. */
  readonly missing: NoPicture | null
}

export interface Found {
  readonly hits: ReadonlyArray<Hit>
  /** Reason of an empty answer; null with hits. */
  readonly nothing: string | null
  /** Relevance of the best chunk that was left out of an empty answer; null with hits, and where nothing was left out. */
  readonly nearest: number | null
  /** Reason why only words were searched although the store has vectors; null otherwise. */
  readonly note: string | null
  /** Time of the search in milliseconds. */
  readonly took: number
}
