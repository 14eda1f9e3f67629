/**
 * An engine for tests: deterministic documents, and failures and delays by file name.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FileType from "../internal/base/fileType.ts"
import type { ParseData, ParseResponse } from "../internal/base/parseResponse.ts"
import { sha256 } from "../internal/base/sha256.ts"
import * as SampleDocument from "../internal/sample/sampleDocument.ts"
import { Engine, type EngineError, type EngineInput } from "../service/Engine.ts"
import type * as ParseOptions from "../service/ParseOptions.ts"

export {
  marker,
  make as sample,
  type SampleBlock,
  type SampleOptions,
  type SamplePage
} from "../internal/sample/sampleDocument.ts"

/**
 * Scripted outcome for the files of one name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Script {
  /** Delay before the answer or the error, on the clock of the fiber. Default none. */
  readonly delay?: Duration.DurationInput | undefined
  /** Error that the parse fails with. */
  readonly error?: EngineError | undefined
  /** Defect that the parse dies with. */
  readonly defect?: unknown
  /** Number of parses of this name that follow the script; later ones succeed at once. Default all. */
  readonly times?: number | undefined
  /** Pages of the document; default the engine's. */
  readonly pages?: number | undefined
  /** Members of the answer in place of the engine's own, those of `metadata` one by one; the formats that were asked for do not matter. */
  readonly data?: Partial<ParseData> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Version of the engine; default `scripted 1`. */
  readonly version?: string | undefined
  /** Pages of every PDF; default 3. */
  readonly pages?: number | undefined
  /** Blocks of every page, or of every document without pages; default 4. */
  readonly blocksPerPage?: number | undefined
  /** Scripts by the file name of the upload. */
  readonly scripts?: Readonly<Record<string, Script>> | undefined
}

const defaults = { version: "scripted 1", pages: 3, blocksPerPage: 4 } as const

const words =
  "reading order tables preserved layout model native text block page figure caption header section résumé naïve 数据 строка 🙂".split(
    " "
  )

/** Pseudorandom words: the same for the same seed, on every machine. */
const sentence = (seed: number, count: number): string => {
  let state = seed >>> 0
  const chosen = Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return words[(state >>> 16) % words.length]
  })
  return chosen.join(" ")
}

const types = ["text", "table", "text", "figure", "caption", "formula"] as const

const contentOf = (type: string, seed: number): string => {
  switch (type) {
    case "table":
      return `| ${sentence(seed, 1)} | n |\n| --- | --- |\n| ${sentence(seed + 1, 2)} | 1 |\n| ${sentence(seed + 2, 2)} | 2 |`
    case "figure":
      return `![${sentence(seed, 2)}](figure-${seed % 100}.png)`
    case "formula":
      return `$$x_{${seed % 100}} = y^2$$`
    default:
      return `${sentence(seed, 24)}.`
  }
}

const pageOf = (seed: number, pageNumber: number, count: number): SampleDocument.SamplePage => ({
  pageNumber,
  blocks: Array.from({ length: count }, (_, index) => {
    const at = seed + pageNumber * 1000 + index
    if (index > 0) {
      const type = types[(at >>> 0) % types.length] ?? "text"
      return { type, content: contentOf(type, at) }
    }
    return pageNumber === 1
      ? { type: "title", content: `# ${sentence(at, 4)}` }
      : { type: "section_header", content: `## ${sentence(at, 4)}` }
  })
})

/**
 * Well-formed answer to a file, the same for the same bytes and options. Only PDFs have pages and blocks.
 *
 * @since 0.1.0
 * @category constructors
 */
export const answer = (
  input: EngineInput,
  options: ParseOptions.Resolved,
  shape: { readonly pages: number; readonly blocksPerPage: number } = defaults
): ParseResponse => {
  const pdf = input.extension === "pdf"
  const digest = sha256(input.bytes)
  const seed = Number.parseInt(digest.slice(0, 8), 16)
  const numPages = pdf ? Math.min(shape.pages, options.pdf.maxPages ?? shape.pages) : 1
  const { markdown, ...data } = SampleDocument.make({
    pages: Array.from({ length: numPages }, (_, index) => pageOf(seed, index + 1, shape.blocksPerPage)),
    withPages: pdf && options.pdf.pages,
    withBlocks: pdf && options.pdf.blocks,
    pageMarkers: pdf && options.pdf.pageMarkers,
    metadata: {
      title: input.filename,
      language: "en",
      sourceURL: input.filename,
      statusCode: 200,
      ...(pdf ? { numPages, totalPages: shape.pages } : {}),
      contentType: FileType.mimeTypes[input.extension],
      sha256: digest,
      size: String(input.bytes.length)
    }
  })
  return { success: true, data: { ...data, ...members(options, input.filename, markdown ?? "") } }
}

const members = (options: ParseOptions.Resolved, title: string, markdown: string): Partial<ParseData> => {
  const all = {
    markdown,
    summary: "A summary.",
    html: `<h1>${title}</h1>`,
    rawHtml: `<html><body><h1>${title}</h1></body></html>`,
    links: ["https://example.com/a", "https://example.com/b"],
    images: ["https://example.com/a.png"],
    json: null
  }
  return Object.fromEntries(options.formats.map(({ type }) => [type, all[type]]))
}

/**
 * Makes the engine. It counts the parses of each name for `times`; every engine counts on its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Engine.Service => {
  const parses = new Map<string, number>()
  const pages = options.pages ?? defaults.pages
  const blocksPerPage = options.blocksPerPage ?? defaults.blocksPerPage
  return {
    version: options.version ?? defaults.version,
    parse: (input, resolved) =>
      Effect.suspend(() => {
        const count = (parses.get(input.filename) ?? 0) + 1
        parses.set(input.filename, count)
        const found = options.scripts?.[input.filename]
        const script: Script = found === undefined || count > (found.times ?? Number.POSITIVE_INFINITY) ? {} : found
        return Effect.delay(
          play(script, input, resolved, { pages: script.pages ?? pages, blocksPerPage }),
          script.delay ?? 0
        )
      })
  }
}

const play = (
  script: Script,
  input: EngineInput,
  options: ParseOptions.Resolved,
  shape: { readonly pages: number; readonly blocksPerPage: number }
): Effect.Effect<ParseResponse, EngineError> => {
  if (script.error !== undefined) return Effect.fail(script.error)
  if (script.defect !== undefined) return Effect.die(script.defect)
  return Effect.sync(() => {
    const { data, success } = answer(input, options, shape)
    return { success, data: { ...data, ...script.data, metadata: { ...data.metadata, ...script.data?.metadata } } }
  })
}

/**
 * The engine as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Engine> => Layer.sync(Engine, () => make(options))
