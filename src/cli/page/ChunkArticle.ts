/** HTML of one chunk: its figures, its text, the embedded text before and after it, its place on the pages. */
import { type DocumentChunk, type MetadataValue, place } from "../../DocumentChunk.ts"
import { counted, grouped, html, type Html, nothing, shown } from "./Markup.ts"
import type { PageOutlines } from "./PageOutline.ts"
import { hue } from "./theme.ts"

const longestTitle = 80

/** The innermost heading, otherwise the first words. */
export const titleOf = ({ headingPath, text }: DocumentChunk): Html => {
  const title = headingPath.at(-1)?.text || text.trimStart().slice(0, longestTitle * 2)
  const line = title.replace(/\s+/g, " ")
  return shown(line.length > longestTitle ? `${line.slice(0, longestTitle).replace(/[\ud800-\udbff]$/, "")}…` : line)
}

const pathOf = ({ headingPath }: DocumentChunk): Html =>
  headingPath.length === 0
    ? nothing
    : html`<span class="path"
        >${headingPath.map(({ text }, at) => html`${at === 0 ? "" : " › "}<bdi>${shown(text)}</bdi>`)}</span
      >`

const head = (chunk: DocumentChunk, maxTokens: number): Html => {
  const share = Math.min(100, Math.round((chunk.tokens / maxTokens) * 100))
  const id = `c${chunk.index + 1}`
  const where = place({ ...chunk, headingPath: [] })
  return html`<div class="head">
    <h3 id="${id}-name"><a href="#${id}">Chunk ${chunk.index + 1}</a></h3>
    <span class="tokens"
      ><span class="gauge" aria-hidden="true"><i style="width:${share}%"></i></span
      >${counted(chunk.tokens, "token")}</span
    >
    ${where === "" ? nothing : html`<span class="where">${shown(where)}</span>`}
    <span class="where">characters ${grouped(chunk.start)}–${grouped(chunk.end)}</span>
    ${pathOf(chunk)}
  </div>`
}

/** The parts of the embedded text before and after the chunk's own text. */
const embeddedParts = ({ embedText, text }: DocumentChunk): { readonly before: string; readonly after: string } => {
  const at = embedText.endsWith(text) ? embedText.length - text.length : embedText.lastIndexOf(text)
  return at < 0
    ? { before: "", after: "" }
    : { before: embedText.slice(0, at), after: embedText.slice(at + text.length) }
}

const context = (what: string, text: string): Html =>
  text.trim() === ""
    ? nothing
    : html`<div class="around">
        <span class="is">${what}</span>
        <pre lang=""><code>${shown(text.trim())}</code></pre>
      </div>`

const own = ({ start, text }: DocumentChunk, end: number, index: number): Html => {
  const repeated = Math.max(0, end - start)
  return repeated === 0
    ? html`<pre class="text" lang=""><code>${shown(text)}</code></pre>`
    : html`<pre
        class="text"
        lang=""
      ><code><mark class="overlap" title="also at the end of chunk ${index}">${shown(text.slice(0, repeated))}</mark>${shown(text.slice(repeated))}</code></pre>`
}

const valueOf = (value: MetadataValue): string => (Array.isArray(value) ? value.join(", ") : String(value))

const row = (name: Html | string, value: Html | string): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

const listed = (name: string, items: ReadonlyArray<string>): Html =>
  items.length === 0 ? nothing : row(name, shown(items.join(", ")))

const rounded = (number: number): string => number.toFixed(3)

const details = (chunk: DocumentChunk): Html => {
  const boxes = chunk.boxes.map(({ bbox, page }) => `p. ${page} [${bbox.map(rounded).join(" ")}]`)
  return html`<details>
    <summary>Details</summary>
    <dl>
      ${row("id", html`<code>${shown(chunk.id)}</code>`)}${listed("kinds", chunk.kinds)}${listed("blocks", chunk.blockIds)}${listed("boxes", boxes)}${Object.entries(chunk.metadata).map(([name, value]) => row(shown(name), shown(valueOf(value))))}
    </dl>
  </details>`
}

/** `end` is the end of the previous chunk, 0 for the first. */
export const article = (chunk: DocumentChunk, end: number, maxTokens: number, outlines: PageOutlines): Html => {
  const pages = outlines.of(chunk)
  const { before, after } = embeddedParts(chunk)
  const repeated = end - chunk.start
  const id = `c${chunk.index + 1}`
  return html`<article
    id="${id}"
    class="${hue(chunk.index)}${pages.length === 0 ? " plain" : ""}"
    aria-labelledby="${id}-name"
  >
    ${head(chunk, maxTokens)}
    <div>
      ${context("Embedded before the text", before)}${repeated > 0 ? html`<div class="around"><span class="is">The first ${counted(repeated, "character")} repeat chunk ${chunk.index}</span></div>` : nothing}${own(chunk, end, chunk.index)}${context("Embedded after the text", after)}${chunk.notes.length === 0 ? nothing : html`<p class="notes">${shown(chunk.notes.join(", "))}</p>`}
    </div>
    ${pages.length === 0 ? nothing : html`<div class="side">${pages}</div>`} ${details(chunk)}
  </article> `
}
