import type { Tokenizer } from "docsluice/Tokenizer"
import { readAs, readingOf } from "../../src/internal/bpe/reading.ts"

/** A tokenizer, and the number of characters that were sent to it so far. */
export const metered = (tokenizer: Tokenizer.Service) => {
  const work = { characters: 0 }
  const spent = <A>(characters: number, answer: A): A => {
    work.characters += characters
    return answer
  }
  const counted: Tokenizer.Service = {
    ...tokenizer,
    count: (text, start = 0, end = text.length) => spent(end - start, tokenizer.count(text, start, end))
  }
  const reading = readingOf(tokenizer)
  if (reading === undefined) return { counted, work }
  if (reading === "codeUnits") return { counted: readAs(counted, reading), work }
  const reader = (text: string) => {
    const own = reading(text)
    return {
      next: own.next,
      count: (start: number, end: number) => spent(end - start, own.count(start, end)),
      tokenEnds: (start: number, end: number) => spent(end - start, own.tokenEnds(start, end)),
      list: (start: number, end: number, list: Parameters<typeof own.list>[2]) => {
        const stop = own.list(start, end, list)
        return spent(stop - start, stop)
      }
    }
  }
  return { counted: readAs(counted, reader), work }
}
