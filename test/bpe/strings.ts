/** Texts on which counters of tokens are likely to differ. The same seed gives the same texts. */

const fixed = [
  "'s",
  "'LL",
  "'\u017f",
  "'Re",
  "don't",
  "HTMLParser",
  "McDonald's",
  "  ",
  "\r\n",
  " \n \n",
  "\n/",
  "//",
  "---",
  "==\n\n",
  "|---|---|\n",
  "\u0085",
  "\ufeff",
  "\u00a0",
  "\u3000",
  "\u2028",
  "\u200b",
  "\u200d",
  "\ud800",
  "\udc00",
  "\ufffd",
  "\0",
  "e\u0301",
  "\u01c5",
  "\u02b0",
  "\u2167",
  "\u00b2",
  "\u0664\u0665",
  "1234567",
  "3.14",
  "中文。",
  "日本語です",
  "한국어",
  "مرحبا",
  "שָׁלוֹם",
  "ภาษาไทย",
  "नमस्ते",
  "Ελληνικά",
  "Ёжик",
  "𝒳𝒴",
  "𐐀𐐨",
  "😀",
  "👨‍👩‍👧‍👦",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "🇩🇪",
  "❤️",
  "<|endoftext|>",
  "<|fim_prefix|>",
  "<|endofprompt|>",
  "<|im_start|>",
  "https://example.com/a?b=c#d",
  "function(){ return x; }\n"
] as const

const planes = [0x80, 0x250, 0x3000, 0x10000, 0x20000, 0x110000] as const

const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index]
  if (item === undefined) throw new RangeError(`no item ${index} of ${items.length}`)
  return item
}

/** A linear congruential generator, so that a seed names the texts. */
export const make = (seed: number): (() => string) => {
  let state = seed >>> 0
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  const codePoint = (): string => String.fromCodePoint(random(at(planes, random(planes.length))))
  const letters = (): string =>
    Array.from({ length: 1 + random(8) }, () => String.fromCharCode((random(4) === 0 ? 65 : 97) + random(26))).join("")
  const space = (): string => at([" ", " ", " ", "  ", "\n", "\t", "\r", "\u0085", "\n\n"], random(9))
  const piece = (): string => {
    switch (random(8)) {
      case 0:
        return codePoint()
      case 1:
        return space()
      case 2:
        return String.fromCharCode(33 + random(94))
      case 3:
      case 4:
        return letters()
      default:
        return at(fixed, random(fixed.length))
    }
  }
  return () => {
    if (random(100) === 0) return piece().repeat(1 + random(300))
    const join = random(3) === 0 ? " " : ""
    return Array.from({ length: 1 + random(16) }, piece).join(join)
  }
}
