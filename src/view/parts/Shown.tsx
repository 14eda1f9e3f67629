// @jsxRuntime automatic @jsxImportSource preact
/** Text of a document with a sign in place of each character that a reader would not see, or would see in another order. */
import type { ComponentChildren, JSX } from "preact"

/**
 * Controls but tab and line feed, bidirectional controls, invisible characters, tag characters, lone surrogates, noncharacters.
 */
const special =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[^\P{Cc}\t\n]|\p{Cs}|\p{Noncharacter_Code_Point}|[\u{e0000}-\u{e007f}]/gu

const abbreviations: Readonly<Record<number, string>> = {
  0x7f: "\u2421",
  0xad: "SHY",
  0x61c: "ALM",
  0x200b: "ZWSP",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LSEP",
  0x2029: "PSEP",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "WJ",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM"
}

const hexadecimal = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, "0")

/** Unicode has pictures for the C0 controls. */
const label = (codePoint: number): string =>
  codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : (abbreviations[codePoint] ?? hexadecimal(codePoint))

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** The same for an attribute or a title, which holds text only. */
export const plain = (text: string): string =>
  text.replace(special, (character) => `[${label(codePointOf(character))}]`)

/** `data-u` of a sign is its code point, hexadecimal. */
export const Shown = ({ text }: { text: string }): JSX.Element => {
  const parts: Array<ComponentChildren> = []
  let end = 0
  for (const match of text.matchAll(special)) {
    const codePoint = codePointOf(match[0])
    const hex = hexadecimal(codePoint)
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(
      <span class="sign" data-u={hex} title={`U+${hex}`}>
        {label(codePoint)}
      </span>
    )
    end = match.index + match[0].length
  }
  return parts.length === 0 ? <>{text}</> : <>{[...parts, text.slice(end)]}</>
}
