/** Fonts of a family by script. Debian has them with the producers; a font that is missing is replaced by the producer. */
import type { Language } from "./languages/language.ts"
import type { Family } from "./style.ts"

const latin = {
  serif: ["Liberation Serif", "DejaVu Serif", "C059", "P052", "Noto Serif", "Linux Libertine O", "FreeSerif"],
  sans: ["Liberation Sans", "DejaVu Sans", "Carlito", "Noto Sans", "Nimbus Sans", "Linux Biolinum O", "URW Gothic"],
  mono: ["Liberation Mono", "DejaVu Sans Mono", "Nimbus Mono PS", "FreeMono"]
}

const european = {
  serif: ["Liberation Serif", "DejaVu Serif", "Noto Serif", "FreeSerif"],
  sans: ["Liberation Sans", "DejaVu Sans", "Carlito", "Noto Sans"],
  mono: ["Liberation Mono", "DejaVu Sans Mono", "FreeMono"]
}

const cjk = (place: string) => ({
  serif: [`Noto Serif CJK ${place}`],
  sans: [`Noto Sans CJK ${place}`],
  mono: [`Noto Sans Mono CJK ${place}`]
})

const fonts: Readonly<Record<Language["script"], Readonly<Record<Family, ReadonlyArray<string>>>>> = {
  latin,
  cyrillic: european,
  greek: european,
  arabic: {
    serif: ["Noto Naskh Arabic", "Amiri"],
    sans: ["Noto Sans Arabic", "Noto Kufi Arabic"],
    mono: ["DejaVu Sans Mono"]
  },
  hebrew: { serif: ["Noto Serif Hebrew", "FreeSerif"], sans: ["Noto Sans Hebrew", "DejaVu Sans"], mono: ["FreeMono"] },
  devanagari: { serif: ["Noto Serif Devanagari"], sans: ["Noto Sans Devanagari"], mono: ["DejaVu Sans Mono"] },
  thai: { serif: ["Noto Serif Thai"], sans: ["Noto Sans Thai", "Noto Looped Thai"], mono: ["DejaVu Sans Mono"] },
  han: cjk("SC"),
  kana: cjk("JP"),
  hangul: cjk("KR")
}

/** Those with the letters of Vietnamese. */
const vietnamese = {
  serif: ["DejaVu Serif", "Noto Serif"],
  sans: ["DejaVu Sans", "Noto Sans"],
  mono: ["DejaVu Sans Mono"]
}

/** The font of a family for a language, none of `without`; the same `choice` always gives the same. */
export const name = (
  language: Language,
  family: Family,
  choice: number,
  without: ReadonlySet<string> = new Set()
): string => {
  const names = (language.code === "vi" ? vietnamese : fonts[language.script])[family].filter(
    (font) => !without.has(font)
  )
  return names[choice % names.length] ?? family
}
