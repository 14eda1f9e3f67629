/** Documents as the tools that give texts work over them, with the bounds of their results. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import type { ReadOnlyCorpus } from "../target/readOnlyCorpus.ts"
import * as Documents from "./documents.ts"

/** Characters for a token, where tokens are not counted. */
export const charactersPerToken = 4

export interface Library {
  readonly corpus: ReadOnlyCorpus
  readonly scope: Documents.Scope
  readonly documents: Documents.Documents
  readonly tokenizer: Tokenizer.Tokenizer.Service
  /** Characters of JSON that a list in a result may have, and those of a text; a list has one item at least. */
  readonly room: number
  /** Called with the passages whose words a result gives. */
  readonly onShown: (passages: ReadonlyArray<DocumentChunk>) => void
}

/** Of any size, as far as the arguments of a call allow it. */
export const make = (corpus: ReadOnlyCorpus, scope: Documents.Scope): Effect.Effect<Library> =>
  Effect.map(Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerO200k), (tokenizer) => ({
    corpus,
    scope,
    documents: Documents.make(corpus, scope),
    tokenizer,
    room: Number.POSITIVE_INFINITY,
    onShown: () => undefined
  }))

/** The first items that have room, at least one. */
export const fitting = <A>({ room }: Pick<Library, "room">, items: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (room === Number.POSITIVE_INFINITY) return items
  let length = 0
  const over = items.findIndex((item) => (length += JSON.stringify(item).length) > room)
  return over < 0 ? items : items.slice(0, Math.max(1, over))
}
