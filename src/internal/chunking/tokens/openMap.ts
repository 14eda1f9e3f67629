import type { Tokenizer } from "../../../Tokenizer.ts"
import { readingOf } from "../../bpe/reading.ts"
import { CountedMap } from "./CountedMap.ts"
import { PieceMap } from "./PieceMap.ts"
import type { TokenMap } from "./TokenMap.ts"
import { UnitMap } from "./UnitMap.ts"

/** The fastest map of a text that its tokenizer allows. */
export const openMap = (text: string, tokenizer: Tokenizer.Service): TokenMap => {
  const reading = readingOf(tokenizer)
  return reading === undefined
    ? new CountedMap(text, tokenizer)
    : reading === "codeUnits"
      ? new UnitMap(text)
      : new PieceMap(text, tokenizer, reading)
}
