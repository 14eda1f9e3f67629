/** Tools for agents: their names, arguments, limits and results; what carries them out needs no more of a corpus than their ports say. */
import * as Tool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import * as Schema from "effect/Schema"
import { Box, ChunkId } from "../../DocumentChunk.ts"
import { ToolError } from "./toolError.ts"

/** Most of everything that a call may ask for or get. */
export const most = {
  /** Characters of an argument. */
  argument: 2000,
  /** Hits of a search. */
  hits: 20,
  /** Documents of a list. */
  documents: 50,
  /** Sections of an outline. */
  sections: 200,
  /** Tokens of a read; a table at its end may take as many again. */
  tokens: 10_000,
  /** Tokens of one hit's text. */
  hit: 1500,
  /** Characters of a title, a heading or a label. */
  name: 300,
  /** Boxes on a picture, and of a hit. */
  boxes: 64,
  /** Pixels of a picture's width. */
  width: 1600,
  /** Places of a quote. */
  places: 5
} as const

const needed = <A, I>(
  schema: Schema.Schema<A, I>,
  description: string
): Schema.PropertySignature<":", A, never, ":", I> => Schema.propertySignature(schema).annotations({ description })

const optional = <A, I>(schema: Schema.Schema<A, I>, description: string): Schema.optional<Schema.Schema<A, I>> =>
  Schema.optional(schema).annotations({ description })

const text = (longest: number = most.argument) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(longest))

const whole = (least: number, greatest: number) => Schema.Int.pipe(Schema.between(least, greatest))

const page = whole(1, 1_000_000)

const source = needed(text(), "Path or id of a document, as list and search give it.")

const cursor = optional(text(), "Where to go on: `next` of the result before, with the same other arguments.")

const names = Schema.Array(Schema.String)
const pages = Schema.Array(Schema.Int)
const boxes = Schema.Array(Box)

/** What every result that repeats a document says of that text. */
const notice = { notice: Schema.String }

const next = Schema.NullOr(Schema.String)

const Hit = Schema.Struct({
  /** Fenced. */
  text: Schema.String,
  /** True when only the beginning is given. */
  cut: Schema.Boolean,
  label: Schema.String,
  source: Schema.String,
  chunk: ChunkId,
  pages,
  boxes,
  /** Those of `boxes` that are figures; absent where none is. */
  figures: Schema.optional(boxes),
  headings: names,
  kinds: names,
  tokens: Schema.Int,
  relevance: Schema.NullOr(Schema.Number),
  similarity: Schema.NullOr(Schema.Number)
})

const filterForm = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object" }
})

const search = Tool.make("search", {
  description:
    "Finds the passages of the documents that fit a question best, by words and by meaning, each with its source, pages and boxes. Begin here when you do not know the document.",
  parameters: {
    query: needed(text(), "The question, or words that the passage has."),
    limit: optional(whole(1, most.hits), "Most passages; default 8."),
    offset: optional(whole(0, 200), "Passages to leave out before the first; default 0."),
    kinds: optional(
      Schema.Array(text(64)).pipe(Schema.maxItems(16)),
      "Only passages that hold a block of one of these kinds, such as table, list or code; those of a passage are its `kinds`."
    ),
    source: optional(text(), "Only this document."),
    filter: optional(
      filterForm,
      'Conditions that must all hold, in the form of MongoDB: {"metadata.year":{"$gte":2020},"page":{"$lte":3},"heading":{"$contains":"Safety"}}.'
    ),
    mode: optional(Schema.Literal("hybrid", "words", "vectors"), "By words, by meaning (vectors), or both (default).")
  },
  success: Schema.Struct({ ...notice, hits: Schema.Array(Hit), next: Schema.NullOr(Schema.Int) }),
  failure: ToolError
})

const Section = Schema.Struct({
  heading: Schema.String,
  depth: Schema.Int,
  pages,
  /** With all sections below it. */
  tokens: Schema.Int,
  chunk: ChunkId
})

const outline = Tool.make("outline", {
  description:
    "Gives the headings of a document with their pages and sizes in tokens; of a document without headings, its pages. Use it to choose what to read.",
  parameters: { source, cursor },
  success: Schema.Struct({
    ...notice,
    source: Schema.String,
    title: Schema.NullOr(Schema.String),
    tokens: Schema.Int,
    sections: Schema.Array(Section),
    /** Of a document without headings. */
    pages: Schema.Array(Schema.Struct({ page: Schema.Int, tokens: Schema.Int })),
    next
  }),
  failure: ToolError
})

const Listed = Schema.Struct({
  source: Schema.String,
  documentId: Schema.String,
  title: Schema.NullOr(Schema.String),
  /** The last page that is known; null where the format has none. */
  pages: Schema.NullOr(Schema.Int),
  date: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  passages: Schema.Int
})

const list = Tool.make("list", {
  description: "Lists the documents of the store with title, pages, date and language.",
  parameters: {
    pattern: optional(
      text(200),
      "Part of the path, or a pattern in which * stands for any characters, such as *handbook*.pdf."
    ),
    limit: optional(whole(1, most.documents), "Most documents; default 20."),
    cursor
  },
  success: Schema.Struct({ ...notice, documents: Schema.Array(Listed), next }),
  failure: ToolError
})

const read = Tool.make("read", {
  description:
    "Reads a part of a document as Markdown: pages, a section by its heading, a passage with its neighbours, or from the beginning. Tables are never cut in two where they fit.",
  parameters: {
    source,
    pages: optional(
      Schema.Struct({
        from: needed(page, "The first page, from 1."),
        to: optional(page, "The last page; default from.")
      }),
      "Pages to read."
    ),
    heading: optional(text(), "Heading of the section to read, with all below it, as outline gives it."),
    chunk: optional(text(200), "Id of the passage to read, as search and outline give it."),
    neighbours: optional(whole(0, 20), "Passages before and after `chunk`; default 0."),
    maxTokens: optional(whole(100, most.tokens), "Most tokens of the answer; default 2000."),
    cursor
  },
  success: Schema.Struct({
    ...notice,
    source: Schema.String,
    /** Headings above the beginning. */
    headings: names,
    pages,
    chunks: Schema.Array(ChunkId),
    /** Markdown, fenced. */
    text: Schema.String,
    tokens: Schema.Int,
    next
  }),
  failure: ToolError
})

const fraction = Schema.Number.pipe(Schema.between(0, 1))

const look = Tool.make("look", {
  description:
    "Gives a page of a PDF as a picture, with boxes drawn on it, or a part of it: a figure, or something small, enlarged. Use it for what text does not hold: figures, layout, signatures, or to see where a passage stands.",
  parameters: {
    source,
    page: needed(page, "The page, from 1."),
    boxes: optional(
      Schema.Array(Schema.Tuple(fraction, fraction, fraction, fraction)).pipe(Schema.maxItems(most.boxes)),
      "Boxes to draw: [x0, y0, x1, y1], 0 to 1 of the page's width and height, as search and verify give them."
    ),
    chunk: optional(text(200), "Id of a passage whose boxes on this page are drawn."),
    figure: optional(
      Schema.Tuple(fraction, fraction, fraction, fraction),
      "Box to give alone, without anything drawn on it, such as one of `figures` of a passage."
    ),
    width: optional(whole(200, most.width), "Width of the picture in pixels; default 1000.")
  },
  success: Schema.Struct({
    ...notice,
    source: Schema.String,
    page: Schema.Int,
    boxes: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number)),
    mimeType: Schema.Literal("image/png"),
    image: Schema.Uint8ArrayFromBase64
  }),
  failure: ToolError
})

const verify = Tool.make("verify", {
  description:
    "Tells if a quotation stands in the documents word for word (exact), with small differences (close, with each of them), or nowhere (absent), and on which page and in which box. Check every quotation before you give it to the user; only `exact` may be given as a quotation.",
  parameters: {
    quote: needed(text(4000), "The words, copied from the document."),
    source: optional(text(), "The document in which they are to stand; default any.")
  },
  success: Schema.Struct({
    ...notice,
    stands: Schema.Literal("exact", "close", "absent"),
    places: Schema.Array(
      Schema.Struct({
        source: Schema.String,
        label: Schema.String,
        chunks: Schema.Array(ChunkId),
        pages,
        boxes,
        /** Fenced. */
        text: Schema.String,
        differences: Schema.Array(Schema.Struct({ quote: Schema.String, document: Schema.String }))
      })
    )
  }),
  failure: ToolError
})

const status = Tool.make("status", {
  description: "Tells how many documents the store has, what it can do, and to what this server is limited.",
  parameters: {},
  success: Schema.Struct({
    documents: Schema.NullOr(Schema.Int),
    passages: Schema.NullOr(Schema.Int),
    filtered: Schema.Boolean,
    writable: Schema.Boolean,
    roots: names,
    failures: Schema.NullOr(Schema.Int)
  }),
  failure: ToolError
})

const ingest = Tool.make("ingest", {
  description:
    "Reads new and changed files of a folder that the server knows into the store. Takes as long as it takes; it can be cancelled.",
  parameters: {
    root: needed(text(200), "Name of the folder, one of `roots` of status."),
    patterns: optional(
      Schema.Array(text(300)).pipe(Schema.maxItems(100)),
      "Paths or globs below the folder; default all of it."
    )
  },
  success: Schema.Struct({
    stored: Schema.Int,
    unchanged: Schema.Int,
    failed: Schema.Int,
    unsupported: Schema.Int,
    failures: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String }))
  }),
  failure: ToolError
})

const remove = Tool.make("remove", {
  description: "Removes a document from the store. Its file stays.",
  parameters: { source },
  success: Schema.Struct({ source: Schema.String, passages: Schema.Int }),
  failure: ToolError
})

const reads = <Name extends string, C extends Config, R>(tool: Tool.Tool<Name, C, R>): Tool.Tool<Name, C, R> =>
  tool
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, false)

type Config = {
  readonly parameters: Tool.AnyParametersSchema
  readonly success: Schema.Schema.Any
  readonly failure: Schema.Schema.All
  readonly failureMode: Tool.FailureMode
}

/** The tools that change nothing. */
export const reading = Toolkit.make(
  reads(search),
  reads(outline),
  reads(list),
  reads(read),
  reads(look),
  reads(verify),
  reads(status)
)

/** The tools that change the store. */
export const writing = Toolkit.make(
  ingest.annotate(Tool.Destructive, false).annotate(Tool.Idempotent, true).annotate(Tool.OpenWorld, false),
  remove.annotate(Tool.Destructive, true).annotate(Tool.Idempotent, true).annotate(Tool.OpenWorld, false)
)
