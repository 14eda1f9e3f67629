import type { Tokenizer } from "../../../Tokenizer.ts"
import { readingOf } from "../../bpe/reading.ts"
import type { Steps } from "../steps.ts"
import { CountedMap } from "./CountedMap.ts"
import { PieceMap } from "./PieceMap.ts"
import type { TokenMap } from "./TokenMap.ts"
import { UnitMap } from "./UnitMap.ts"

/**
 * The fastest map of a text that its tokenizer allows.
 *
 * @yields {undefined} After each step.
 */
export function* openMap(text: string, tokenizer: Tokenizer.Service): Steps<TokenMap> {
  const reading = readingOf(tokenizer)
  return reading === undefined
    ? new CountedMap(text, tokenizer)
    : reading === "codeUnits"
      ? new UnitMap(text)
      : yield* PieceMap.read(text, tokenizer, reading)
}
