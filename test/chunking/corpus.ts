import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import type { ChunkOptions } from "docsluice/Chunker"
import type * as Chunker from "docsluice/Chunker"
import * as Discovery from "docsluice/Discovery"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Parser from "docsluice/Parser"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Either } from "effect"
import { readingOf } from "../../src/internal/bpe/reading.ts"
import { find } from "../../src/internal/chunking/place/markers.ts"
import { place } from "../../src/internal/chunking/place/spans.ts"
import { assertBlocksWhole, assertHeadingPaths, assertLaws, offsetOf, parse } from "./laws.ts"
import { metered } from "./metered.ts"
import { assertCutsBetweenLines, assertNoBareHeading, assertNoTornCluster, type Frame } from "./structureLaws.ts"

/** Every document of a folder that can be parsed, with pages, blocks and page markers. */
export const documents = (folder: string) =>
  Effect.gen(function* () {
    const parser = yield* Parser.make({ timeout: 300_000 })
    const chunker = PageChunker.make()
    const found = yield* Effect.forEach(
      readdirSync(folder, { encoding: "utf8", recursive: true }).toSorted(),
      (name) =>
        Effect.option(Effect.flatMap(Discovery.file(join(folder, name)), (file) => parser.parse(file, { chunker }))),
      { concurrency: 2 }
    )
    return found.flatMap((document) => (document._tag === "Some" ? [document.value] : []))
  })

const furniture = new Set(["page_header", "page_footer", "page_number"])

const titled = new Set(["title", "section_header"])

/** A document's structure, determined before it is chunked. */
interface Known {
  readonly document: ParsedDocument
  readonly dropped: ReadonlyArray<readonly [number, number]>
  readonly markers: ReadonlyArray<{ readonly start: number; readonly end: number; readonly page: number }>
  readonly titles: ReadonlySet<number>
}

const know = (document: ParsedDocument): Known => {
  const placed = (document.blocks === null ? [] : place(document.markdown, document.blocks)).flatMap(
    ({ block, span }) => (span === undefined ? [] : [{ type: block.type, span }])
  )
  return {
    document,
    dropped: placed.flatMap(({ span, type }) => (furniture.has(type) ? [span] : [])),
    markers: find(
      document,
      placed.map(({ span }) => span)
    ).accepted,
    titles: new Set(placed.flatMap(({ span, type }) => (titled.has(type) ? [span[0]] : [])))
  }
}

/** Law 8: pages ascend; between two accepted markers there is one page, and no chunk crosses a marker. */
const assertPages = ({ document, markers }: Known, { chunks }: Chunker.Chunked): void => {
  let last = 0
  for (const { end, pages, start } of chunks) {
    assert.deepStrictEqual(
      pages,
      pages.toSorted((left, right) => left - right)
    )
    if (pages.length > 0) assert.isAtLeast(pages[0] ?? 0, last)
    last = pages.at(-1) ?? last
    assert.isFalse(
      markers.some((marker) => marker.start < end && marker.end > start),
      "a chunk holds a page marker"
    )
    const previous = markers.findLast((marker) => marker.end <= start)
    if (previous !== undefined) assert.deepStrictEqual(pages, [previous.page])
    if (document.pages === null && document.blocks === null) assert.deepStrictEqual(pages, [])
  }
}

const chunkers = { auto: AutoChunker, blocks: BlockChunker, markdown: MarkdownChunker, pages: PageChunker } as const

type Strategy = keyof typeof chunkers

const split = (
  strategy: Strategy,
  document: ParsedDocument,
  tokenizer: Tokenizer.Tokenizer.Service,
  options: ChunkOptions
) =>
  Effect.runSync(
    Effect.either(
      chunkers[strategy].make(options).chunk(document).pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer))
    )
  )

/** Law 10, second half, where nothing but the Markdown says where chunks end. */
const assertAppending = (
  document: ParsedDocument,
  { chunks }: Chunker.Chunked,
  tokenizer: Tokenizer.Tokenizer.Service,
  options: ChunkOptions
): void => {
  if (document.pages !== null || document.blocks !== null) return
  const last = (parse(document.markdown).children ?? []).findLast(({ type }) => type === "heading")
  const markdown = `${document.markdown}\n\nSome words more.`
  const appended = split("markdown", { ...document, markdown }, tokenizer, options)
  const ids = new Set(Either.isRight(appended) ? appended.right.chunks.map(({ id }) => id) : [])
  for (const { end, id } of chunks) {
    assert.isTrue(last === undefined || end > offsetOf(last) || ids.has(id), "appended text changes a section before")
  }
}

const check = (
  strategy: Strategy,
  known: Known,
  tokenizer: Tokenizer.Tokenizer.Service,
  maxTokens: number,
  overlapTokens: number
): void => {
  const { document, markers } = known
  const { counted, work } = metered(tokenizer)
  const options = { maxTokens, overlapTokens }
  const result = split(strategy, document, counted, options)
  if (Either.isLeft(result)) return assert.fail(result.left.message)
  const chunked = result.right
  if (overlapTokens === 0 && readingOf(tokenizer) !== undefined) {
    assert.isAtMost(work.characters, document.markdown.length * 1.1 + 20_000, "characters are counted again and again")
  }
  const byBlocks =
    strategy === "blocks" || (strategy === "auto" && document.blocks?.some(({ items }) => items.length > 0) === true)
  const dropped = byBlocks ? known.dropped : []
  const starts = [...markers.map(({ end }) => end), ...dropped.flat()].toSorted((left, right) => left - right)
  const frame: Frame = { tokenizer, maxTokens, starts, titles: byBlocks ? known.titles : new Set() }
  assertLaws(document, chunked, { tokenizer, maxTokens, overlapTokens, dropped })
  assertPages(known, chunked)
  assertNoTornCluster(document, chunked, frame)
  if (!byBlocks) assertHeadingPaths(document, chunked, starts)
  if (overlapTokens === 0 && strategy === "markdown") {
    assertBlocksWhole(document, chunked, { tokenizer, maxTokens, dropped })
    assertCutsBetweenLines(document, chunked, frame)
    assertAppending(document, chunked, tokenizer, options)
  }
  if (strategy !== "pages") assertNoBareHeading(document, chunked, frame)
  const again = split(strategy, structuredClone(document), tokenizer, options)
  assert.deepStrictEqual(
    Either.isRight(again) ? again.right.chunks.map(({ id }) => id) : [],
    chunked.chunks.map(({ id }) => id)
  )
}

/** A broken law: the document, the chunking settings, and the law's message. */
export interface Violation {
  readonly source: string
  readonly how: string
  readonly problem: string
}

const budgets = [64, 512] as const

/** All laws on a document, through every chunker, with and without overlap. */
export const violations = (
  document: ParsedDocument,
  tokenizers: ReadonlyArray<Tokenizer.Tokenizer.Service>
): ReadonlyArray<Violation> => {
  const known = know(document)
  const strategies: ReadonlyArray<Strategy> = ["auto", "blocks", "markdown", "pages"]
  return strategies.flatMap((strategy) =>
    tokenizers.flatMap((tokenizer) =>
      budgets.flatMap((maxTokens) =>
        [0, maxTokens >> 2].flatMap((overlap) => {
          try {
            check(strategy, known, tokenizer, maxTokens, overlap)
            return []
          } catch (error) {
            const problem = error instanceof Error ? error.message : String(error)
            return [{ source: document.source, how: `${strategy} ${tokenizer.name} ${maxTokens}/${overlap}`, problem }]
          }
        })
      )
    )
  )
}
