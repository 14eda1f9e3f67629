// @jsxRuntime automatic @jsxImportSource preact
/** One chunk: its figures, its text, the embedded text before and after it, its details. */
import type { ComponentChildren, HTMLAttributes, JSX } from "preact"
import type { DocumentChunk, MetadataValue } from "../../DocumentChunk.ts"
import { counted, grouped } from "../../internal/base/figures.ts"
import type { Chunk } from "../../internal/look/messages.ts"
import { Meter } from "../parts/Meter.tsx"
import { Shown } from "../parts/Shown.tsx"
import { hue } from "./chunkColour.ts"

export type CardChunk = Chunk & Partial<Pick<DocumentChunk, "metadata">>

const longestTitle = 80

/** The innermost heading, otherwise the first words. */
export const titleOf = ({ headingPath, text }: CardChunk): string => {
  const title = headingPath.at(-1)?.text || text.trimStart().slice(0, longestTitle * 2)
  const line = title.replace(/\s+/g, " ")
  return line.length > longestTitle ? `${line.slice(0, longestTitle).replace(/[\ud800-\udbff]$/, "")}…` : line
}

/** Pages of a chunk, such as `pages 3–5`; empty without any. */
const pagesOf = ({ pages }: CardChunk): string => {
  const [first] = pages
  const last = pages.at(-1)
  return first === undefined ? "" : first === last ? `page ${first}` : `pages ${first}–${last}`
}

const Head = ({ chunk, id, maxTokens }: { chunk: CardChunk; id: string; maxTokens: number }): JSX.Element => {
  const where = pagesOf(chunk)
  return (
    <div class="head">
      <h3 id={`${id}-name`}>
        <a href={`#${id}`}>Chunk {chunk.index + 1}</a>
      </h3>
      <span class={chunk.tokens > maxTokens ? "tokens over" : "tokens"}>
        <Meter label={null} part={chunk.tokens} whole={maxTokens} />
        {counted(chunk.tokens, "token")}
        <span class="dim"> of {grouped(maxTokens)}</span>
      </span>
      {where !== "" && <span class="where">{where}</span>}
      <span class="where">
        characters {grouped(chunk.start)}–{grouped(chunk.end)}
      </span>
      {chunk.headingPath.length > 0 && (
        <span class="path">
          {chunk.headingPath.map(({ text }, at) => (
            <>
              {at === 0 ? "" : " › "}
              <bdi>
                <Shown text={text} />
              </bdi>
            </>
          ))}
        </span>
      )}
    </div>
  )
}

/** The parts of the embedded text before and after the chunk's own text. */
export const embeddedParts = ({ embedText, text }: CardChunk): { readonly before: string; readonly after: string } => {
  const at = embedText.endsWith(text) ? embedText.length - text.length : embedText.lastIndexOf(text)
  return at < 0
    ? { before: "", after: "" }
    : { before: embedText.slice(0, at), after: embedText.slice(at + text.length) }
}

const Around = ({ text, what }: { text: string; what: string }): JSX.Element | null =>
  text.trim() === "" ? null : (
    <div class="around">
      <span class="is">{what}</span>
      <pre lang="">
        <code>
          <Shown text={text.trim()} />
        </code>
      </pre>
    </div>
  )

const Own = ({ chunk: { index, start, text }, end }: { chunk: CardChunk; end: number }): JSX.Element => {
  const repeated = Math.max(0, end - start)
  return (
    <pre class="text" lang="">
      <code>
        {repeated > 0 && (
          <mark class="overlap" title={`also at the end of chunk ${index}`}>
            <Shown text={text.slice(0, repeated)} />
          </mark>
        )}
        <Shown text={text.slice(repeated)} />
      </code>
    </pre>
  )
}

const valueOf = (value: MetadataValue): string => (Array.isArray(value) ? value.join(", ") : String(value))

const Row = ({ children, name }: { children: ComponentChildren; name: string }): JSX.Element => (
  <>
    <dt>
      <Shown text={name} />
    </dt>
    <dd>{children}</dd>
  </>
)

const Listed = ({ items, name }: { items: ReadonlyArray<string>; name: string }): JSX.Element | null =>
  items.length === 0 ? null : (
    <Row name={name}>
      <Shown text={items.join(", ")} />
    </Row>
  )

const Details = ({ chunk }: { chunk: CardChunk }): JSX.Element => {
  const boxes = chunk.boxes.map(({ bbox, page }) => `p. ${page} [${bbox.map((number) => number.toFixed(3)).join(" ")}]`)
  return (
    <details>
      <summary>Details</summary>
      <dl>
        <Row name="id">
          <code>
            <Shown text={chunk.id} />
          </code>
        </Row>
        <Listed name="kinds" items={chunk.kinds} />
        <Listed name="blocks" items={chunk.blockIds} />
        <Listed name="boxes" items={boxes} />
        {Object.entries(chunk.metadata ?? {}).map(([name, value]) => (
          <Row key={name} name={name}>
            <Shown text={valueOf(value)} />
          </Row>
        ))}
      </dl>
    </details>
  )
}

/** `end` is the end of the previous chunk, 0 for the first; `children` stand next to the text. */
export const ChunkCard = ({
  children,
  chunk,
  class: more = "",
  end,
  maxTokens,
  ...props
}: Omit<HTMLAttributes<HTMLElement>, "class" | "role"> & {
  children?: ComponentChildren
  chunk: CardChunk
  class?: string
  end: number
  maxTokens: number
}): JSX.Element => {
  const { after, before } = embeddedParts(chunk)
  const repeated = end - chunk.start
  const id = `c${chunk.index + 1}`
  const alone = children === undefined || children === null
  return (
    <article
      {...props}
      id={id}
      class={`chunk ${hue(chunk.index)}${alone ? " plain" : ""}${more}`}
      aria-labelledby={`${id}-name`}
    >
      <Head chunk={chunk} id={id} maxTokens={maxTokens} />
      <div>
        <Around what="Embedded before the text" text={before} />
        {repeated > 0 && (
          <div class="around">
            <span class="is">
              The first {counted(repeated, "character")} repeat chunk {chunk.index}
            </span>
          </div>
        )}
        <Own chunk={chunk} end={end} />
        <Around what="Embedded after the text" text={after} />
        {chunk.notes.length > 0 && (
          <p class="notes">
            <Shown text={chunk.notes.join(", ")} />
          </p>
        )}
      </div>
      {!alone && <div class="side">{children}</div>}
      <Details chunk={chunk} />
    </article>
  )
}
