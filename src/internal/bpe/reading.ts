/** Fast readings of the built-in tokenizers, kept here so that a tokenizer is a name and a function. */
import type { PieceReader } from "./PieceReader.ts"

/** `codeUnits`: every UTF-16 code unit is one token. A function opens a reader of a text's pieces. */
export type Reading = "codeUnits" | ((text: string) => PieceReader)

const readings = new WeakMap<object, Reading>()

/** Declares how a tokenizer is read; returns the tokenizer. */
export const readAs = <Tokenizer extends object>(tokenizer: Tokenizer, reading: Reading): Tokenizer => {
  readings.set(tokenizer, reading)
  return tokenizer
}

/** The reading of a tokenizer; undefined for one that can only count. */
export const readingOf = (tokenizer: object): Reading | undefined => readings.get(tokenizer)
