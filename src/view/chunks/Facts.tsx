// @jsxRuntime automatic @jsxImportSource preact
/** Figures in tiles: a name, a value, and a note below it. */
import type { ComponentChildren, JSX } from "preact"
import { counted, grouped } from "../../internal/base/figures.ts"
import type { ChunkFigures } from "./figuresOf.ts"

export const Fact = ({
  children,
  name,
  note
}: {
  children: ComponentChildren
  name: string
  note?: string | undefined
}): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children}
      {note !== undefined && <small>{note}</small>}
    </dd>
  </div>
)

/** Settings that the document was split with. */
export interface Terms {
  /** Value of `--chunker`. */
  readonly chunker: string
  readonly maxTokens: number
  readonly overlap: number
  readonly tokenizer: string
}

const share = (part: number, whole: number): string => (whole === 0 ? "0 %" : `${Math.round((part / whole) * 100)} %`)

/** `pages` is 0 for a format without pages. */
export const ChunkFacts = ({
  figures: { characters, chunks, tokens },
  pages,
  terms
}: {
  figures: ChunkFigures
  pages: number
  terms: Terms
}): JSX.Element => (
  <dl class="facts">
    <Fact name="Chunks">{grouped(chunks)}</Fact>
    <Fact name="Tokens" note={terms.tokenizer}>
      {grouped(tokens.sum)}
    </Fact>
    <Fact name="Tokens of a chunk" note="least / median / most">
      {grouped(tokens.min)} / {grouped(tokens.median)} / {grouped(tokens.max)}
    </Fact>
    <Fact name="Budget" note={terms.overlap === 0 ? "no overlap" : `overlap up to ${counted(terms.overlap, "token")}`}>
      {counted(terms.maxTokens, "token")}
    </Fact>
    <Fact name="Chunker">{terms.chunker}</Fact>
    {pages > 0 && <Fact name="Pages">{grouped(pages)}</Fact>}
    <Fact
      name="Characters"
      note={
        characters.left === 0
          ? "nothing but white space is left out"
          : `${counted(characters.left, "character")} in no chunk`
      }
    >
      {grouped(characters.all)}
    </Fact>
    {characters.repeated > 0 && (
      <Fact name="Repeated" note={share(characters.repeated, characters.held)}>
        {counted(characters.repeated, "character")}
      </Fact>
    )}
  </dl>
)
