import type * as Embedder from "docsluice/Embedder"
import { vectorOf } from "./server.ts"

/** A function that remembers what it was asked. */
export const recorded = (answer: (texts: ReadonlyArray<string>) => Promise<ReadonlyArray<ArrayLike<number>>>) => {
  const asked: Array<ReadonlyArray<string>> = []
  const embed: Embedder.EmbedTexts = (texts) => {
    asked.push(texts)
    return answer(texts)
  }
  return { asked, embed }
}

export const right = async (texts: ReadonlyArray<string>) => texts.map((text) => vectorOf(text))
