// @jsxRuntime automatic @jsxImportSource preact
/**
 * A document and its chunks as one self-contained web page: without script, external address or anything else to load. The same document
 * and chunks give the same page.
 */
import { createElement, type JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Chunked } from "../../Chunker.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { counted, grouped } from "../../internal/base/figures.ts"
import { type Gap, gaps } from "../../internal/chunking/gaps.ts"
import { pageCount, type ParsedDocument } from "../../ParsedDocument.ts"
import { ChunkCard, titleOf } from "../../view/chunks/ChunkCard.tsx"
import { hue } from "../../view/chunks/chunkColour.ts"
import { ChunkFacts, type Terms } from "../../view/chunks/Facts.tsx"
import { figuresOf } from "../../view/chunks/figuresOf.ts"
import { GapCard } from "../../view/chunks/GapCard.tsx"
import { chunkPages, type Outlines, outlinesOf, pageMap, Sheets } from "../../view/chunks/PageOutline.tsx"
import { SizeBars } from "../../view/chunks/SizeBars.tsx"
import { plain, Shown } from "../../view/parts/Shown.tsx"
import { css } from "./style.ts"

/** Number of pages above which the map of pages is collapsed at first. */
const openPages = 24

/** Warnings of the parser and the chunker, one line each. */
export const warnings = (document: ParsedDocument, { ambiguousMarkers, unplaced }: Chunked): ReadonlyArray<string> => [
  ...document.warnings,
  ...(unplaced.length > 0 ? [`${unplaced.length} blocks without a place in the Markdown`] : []),
  ...(ambiguousMarkers.length > 0 ? [`${ambiguousMarkers.length} lines may or may not be page markers`] : [])
]

const Warnings = ({ lines }: { lines: ReadonlyArray<string> }): JSX.Element | null =>
  lines.length === 0 ? null : (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">{counted(lines.length, "warning")}</h2>
      <ul>
        {lines.map((line) => (
          <li>
            <Shown text={line} />
          </li>
        ))}
      </ul>
    </section>
  )

const Index = ({ chunks }: { chunks: ReadonlyArray<DocumentChunk> }): JSX.Element => (
  <nav class="index" aria-labelledby="index" tabIndex={0}>
    <h2 id="index">Chunks</h2>
    <ol>
      {chunks.map((chunk) => (
        <li>
          <a class={hue(chunk.index)} href={`#c${chunk.index + 1}`}>
            <span>{chunk.index + 1}</span>
            <b>
              <bdi>
                <Shown text={titleOf(chunk)} />
              </bdi>
            </b>
            <i>{grouped(chunk.tokens)}</i>
          </a>
        </li>
      ))}
    </ol>
  </nav>
)

const PageMap = ({
  chunks,
  outlines
}: {
  chunks: ReadonlyArray<DocumentChunk>
  outlines: Outlines
}): JSX.Element | null => {
  const pages = pageMap(outlines, chunks)
  if (pages.length === 0) return null
  const grid = <div class="outlines">{pages}</div>
  return (
    <section aria-labelledby="pages">
      <h2 id="pages">Pages</h2>
      {pages.length > openPages ? (
        <details>
          <summary>{counted(pages.length, "page")}</summary>
          {grid}
        </details>
      ) : (
        grid
      )}
    </section>
  )
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** Stands where the chunks go; no text of a document can be this tag. */
const place = "<chunks-here></chunks-here>"

const Place = (): JSX.Element => createElement("chunks-here", {})

const Frame = ({
  chunked,
  document,
  left,
  outlines,
  terms
}: {
  chunked: Chunked
  document: ParsedDocument
  left: ReadonlyArray<Gap>
  outlines: Outlines
  terms: Terms
}): JSX.Element => {
  const { chunks } = chunked
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${plain(document.source)} · ${counted(chunks.length, "chunk")}`}</title>
        {/* A constant, which must not be escaped: a style sheet has no entities. */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <a class="skip" href="#chunks">
          Skip to the chunks
        </a>
        <div class="frame">
          <Index chunks={chunks} />
          <div class="body">
            <header>
              <h1>
                <bdi>
                  <Shown text={document.source} />
                </bdi>
              </h1>
              <p class="source">
                SHA-256 <Shown text={document.contentHash} />
              </p>
              <ChunkFacts
                figures={figuresOf(document.markdown, chunks, left)}
                pages={pageCount(document)}
                terms={terms}
              />
              <Warnings lines={warnings(document, chunked)} />
            </header>
            {chunks.length > 0 && (
              <section aria-labelledby="sizes">
                <h2 id="sizes">Sizes</h2>
                <SizeBars chunks={chunks} maxTokens={terms.maxTokens} />
              </section>
            )}
            <Sheets outlines={outlines} />
            <PageMap outlines={outlines} chunks={chunks} />
            <main aria-labelledby="chunks">
              <h2 id="chunks">{chunks.length === 0 ? "No chunks" : "Text"}</h2>
              <Place />
            </main>
          </div>
        </div>
      </body>
    </html>
  )
}

const Card = ({
  chunk,
  end,
  maxTokens,
  outlines
}: {
  chunk: DocumentChunk
  end: number
  maxTokens: number
  outlines: Outlines
}): JSX.Element => {
  const pages = chunkPages(outlines, chunk)
  return (
    <ChunkCard chunk={chunk} end={end} maxTokens={maxTokens}>
      {pages.length === 0 ? null : pages}
    </ChunkCard>
  )
}

/**
 * The page in pieces, to be written one after the other.
 *
 * @yields HTML, a chunk at a time.
 */
export function* parts(document: ParsedDocument, chunked: Chunked, terms: Terms): Generator<string> {
  const left = gaps(document, chunked)
  const outlines = outlinesOf(document.blocks ?? [])
  const gapCards = (found: ReadonlyArray<Gap> = []): string =>
    found.map((gap) => renderToString(<GapCard gap={gap} markdown={document.markdown} />)).join("\n")
  const frame = renderToString(
    <Frame document={document} chunked={chunked} left={left.flat()} outlines={outlines} terms={terms} />
  )
  const at = frame.indexOf(place)
  yield `<!DOCTYPE html>\n${frame.slice(0, at)}\n`
  let end = 0
  for (const [index, chunk] of chunked.chunks.entries()) {
    yield gapCards(left[index])
    yield `${renderToString(<Card chunk={chunk} end={end} maxTokens={terms.maxTokens} outlines={outlines} />)}\n`
    end = chunk.end
  }
  yield gapCards(left.at(-1))
  yield `${frame.slice(at + place.length)}\n`
}
