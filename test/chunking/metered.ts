import type * as Tokenizer from "docsluice/Tokenizer"

/** A tokenizer, and how many characters were sent to it so far. */
export const metered = (tokenizer: Tokenizer.Tokenizer.Service) => {
  const work = { characters: 0 }
  const { count, pieces } = tokenizer
  const counted: Tokenizer.Tokenizer.Service = {
    ...tokenizer,
    count: (text, start = 0, end = text.length) => {
      work.characters += end - start
      return count(text, start, end)
    },
    pieces:
      pieces &&
      ((text) => {
        const own = pieces(text)
        return {
          ...own,
          count: (start, end) => {
            work.characters += end - start
            return own.count(start, end)
          },
          tokens: (start, end) => {
            work.characters += end - start
            return own.tokens(start, end)
          },
          log: (start, end, log) => {
            const stop = own.log(start, end, log)
            work.characters += stop - start
            return stop
          }
        }
      })
  }
  return { counted, work }
}
