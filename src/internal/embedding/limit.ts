import type { Tokenizer } from "../../Tokenizer.ts"

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Prefix of a text with at most `maxTokens` tokens, the longest or nearly so; never splits a surrogate pair. */
export const cut = (text: string, maxTokens: number, tokenizer: Tokenizer.Service): string => {
  let fits = 0
  let exceeds = text.length + 1
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1
    if (tokenizer.count(text, 0, middle) <= maxTokens) fits = middle
    else exceeds = middle
  }
  const end = isHighSurrogate(text.charCodeAt(fits - 1)) && fits < text.length ? fits - 1 : fits
  return text.slice(0, end)
}
