/**
 * A document and its chunks as one self-contained web page: without script, external address or anything else to load. The same document
 * and chunks give the same page.
 */
import type { Chunked } from "../../Chunker.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { type Gap, gaps } from "../../internal/chunking/gaps.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { article, titleOf } from "./ChunkArticle.ts"
import { counted, grouped, html, Html, nothing, shown } from "./Markup.ts"
import * as Overview from "./Overview.ts"
import { PageOutlines } from "./PageOutline.ts"
import { css, hue } from "./theme.ts"

/** Number of pages above which the map of pages is collapsed at first. */
const openPages = 24

const fact = (name: string, value: string | Html, note: string | Html = ""): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === "" ? nothing : html`<small>${note}</small>`}</dd>
  </div>`

const percent = (part: number, whole: number): string => (whole === 0 ? "0 %" : `${Math.round((part / whole) * 100)} %`)

const facts = (overview: Overview.Overview, terms: Overview.Terms): Html => {
  const { characters, tokens } = overview
  const left =
    characters.left === 0
      ? "nothing but white space is left out"
      : `${counted(characters.left, "character")} in no chunk`
  return html`<dl class="facts">
    ${fact("Chunks", grouped(overview.chunks))} ${fact("Tokens", grouped(tokens.sum), terms.tokenizer)}
    ${fact("Tokens of a chunk", html`${grouped(tokens.min)} / ${grouped(tokens.median)} / ${grouped(tokens.max)}`, "least / median / most")}
    ${fact("Budget", counted(terms.maxTokens, "token"), terms.overlap === 0 ? "no overlap" : `overlap up to ${counted(terms.overlap, "token")}`)}
    ${fact("Chunker", terms.chunker)} ${overview.pages === 0 ? nothing : fact("Pages", grouped(overview.pages))}
    ${fact("Characters", grouped(characters.all), left)}
    ${characters.repeated === 0 ? nothing : fact("Repeated", counted(characters.repeated, "character"), percent(characters.repeated, characters.held))}
  </dl>`
}

const warnings = (lines: ReadonlyArray<string>): Html =>
  lines.length === 0
    ? nothing
    : html`<section class="warnings" aria-labelledby="warnings">
        <h2 id="warnings">${counted(lines.length, "warning")}</h2>
        <ul>
          ${lines.map((line) => html`<li>${shown(line)}</li>`)}
        </ul>
      </section>`

/** Width of a bar in units of the drawing, the space after it included. */
const barWidth = 8

/** Minimum width of the drawing, in bars. */
const fewestBars = 16

/** Bar chart of the chunks' tokens under a line at the budget. */
const bars = (chunks: ReadonlyArray<DocumentChunk>, maxTokens: number): Html => {
  const width = barWidth * Math.max(fewestBars, chunks.length)
  const drawn = chunks.map(({ index, tokens }) => {
    const height = Math.max(1, Math.round(Math.min(1, tokens / maxTokens) * 92))
    return html`<a href="#c${index + 1}" class="${hue(index)}" tabindex="-1"
      ><title>Chunk ${index + 1}: ${counted(tokens, "token")}</title
      ><rect x="${index * barWidth}" y="${100 - height}" width="${barWidth - 1}" height="${height}"
    /></a>`
  })
  return html`<svg class="bars" viewBox="0 0 ${width} 100" preserveAspectRatio="none" aria-hidden="true">
      ${drawn}
      <line x1="0" x2="${width}" y1="8" y2="8" />
    </svg>
    <p class="note">
      Tokens of every chunk, in order; the dashed line is the budget of ${counted(maxTokens, "token")}.
    </p>`
}

const index = (chunks: ReadonlyArray<DocumentChunk>): Html =>
  html`<nav class="index" aria-labelledby="index" tabindex="0">
    <h2 id="index">Chunks</h2>
    <ol>
      ${chunks.map(
        (chunk) =>
          html`<li>
            <a class="${hue(chunk.index)}" href="#c${chunk.index + 1}"
              ><span>${chunk.index + 1}</span><b><bdi>${titleOf(chunk)}</bdi></b
              ><i>${grouped(chunk.tokens)}</i></a
            >
          </li> `
      )}
    </ol>
  </nav>`

const map = (outlines: PageOutlines, chunks: ReadonlyArray<DocumentChunk>): Html => {
  const pages = outlines.map(chunks)
  if (pages.length === 0) return nothing
  const grid = html`<div class="pages">${pages}</div>`
  return html`<section aria-labelledby="pages">
    <h2 id="pages">Pages</h2>
    ${
      pages.length > openPages
        ? html`<details>
            <summary>${counted(pages.length, "page")}</summary>
            ${grid}
          </details>`
        : grid
    }
  </section>`
}

const gap = (markdown: string, { end, start, what }: Gap): Html =>
  html`<div class="gap">
    <span class="is">In no chunk: ${shown(what)}, characters ${grouped(start)}–${grouped(end)}</span>
    <pre lang=""><code>${shown(markdown.slice(start, end))}</code></pre>
  </div> `

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * The page in pieces, to be written one after the other.
 *
 * @yields HTML, a chunk at a time.
 */
export function* parts(document: ParsedDocument, chunked: Chunked, terms: Overview.Terms): Generator<string> {
  const { chunks } = chunked
  const left = gaps(document, chunked)
  const overview = Overview.make(document, chunked, left)
  const outlines = new PageOutlines(document)
  yield html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Html(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${document.source} · ${counted(chunks.length, "chunk")}</title>
        <style>
          ${new Html(css)}
        </style>
      </head>
      <body>
        <a class="skip" href="#chunks">Skip to the chunks</a>
        <div class="frame">
          ${index(chunks)}
          <div class="body">
            <header>
              <h1><bdi>${shown(document.source)}</bdi></h1>
              <p class="source">SHA-256 ${document.contentHash}</p>
              ${facts(overview, terms)} ${warnings(overview.warnings)}
            </header>
            ${
              chunks.length === 0
                ? nothing
                : html`<section aria-labelledby="sizes">
                    <h2 id="sizes">Sizes</h2>
                    ${bars(chunks, terms.maxTokens)}
                  </section>`
            }
            ${outlines.sheets}${map(outlines, chunks)}
            <main aria-labelledby="chunks"><h2 id="chunks">${chunks.length === 0 ? "No chunks" : "Text"}</h2>
     `.source
  let end = 0
  for (const [at, chunk] of chunks.entries()) {
    yield (left[at] ?? []).map((found) => gap(document.markdown, found).source).join("")
    yield article(chunk, end, terms.maxTokens, outlines).source
    end = chunk.end
  }
  yield (left.at(-1) ?? []).map((found) => gap(document.markdown, found).source).join("")
  yield "</main>\n</div>\n</div>\n</body>\n</html>\n"
}
