/** Superscripts and subscripts in Markdown, which has none: without them a power is another number (`10⁶`, 106). */

/** Name of the element of HTML. */
export type Script = "sup" | "sub"

/** Characters of Unicode whose compatibility form is the character that they raise or lower. */
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ"
const lowered = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"

const formsOf = (characters: string): ReadonlyMap<string, string> => {
  const forms = new Map(Array.from(characters, (character) => [character.normalize("NFKC"), character]))
  const minus = forms.get("\u2212")
  return minus === undefined ? forms : forms.set("-", minus).set("\u2013", minus)
}

const forms: Readonly<Record<Script, ReadonlyMap<string, string>>> = { sup: formsOf(raised), sub: formsOf(lowered) }

/** Endings of numbers, which say the same on the line. */
const ending = /^(?:st|nd|rd|th)$/iu

/** Text that is raised or lowered for its meaning; marks of notes such as `[1]` and `*`, and longer texts, are not. */
const meant = /^(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N}\s.,:;+\-\u2212\u2013=()/%'\u2032]{1,40}$/u

/**
 * The raised or lowered text without tags: each character of it in Unicode that has a form there, where all have one or it is a number;
 * otherwise, and for marks of notes and endings of numbers (`4th`), the text itself.
 */
export const plain = (text: string, script: Script): string => {
  const written = markdown(text, script)
  if (!written.includes("<")) return written
  return /\d/u.test(text) ? Array.from(text, (character) => forms[script].get(character) ?? character).join("") : text
}

/**
 * The raised or lowered text as Markdown: in characters of Unicode where all of it has some, otherwise in tags. Marks of notes, endings of
 * numbers (`4th`) and texts of more than 40 characters stay as they are. Blanks around it stay outside.
 */
export const markdown = (text: string, script: Script): string => {
  const own = text.trim()
  if (own === "" || (script === "sup" && ending.test(own))) return text
  const characters = Array.from(own, (character) => forms[script].get(character))
  const written = !characters.includes(undefined)
    ? characters.join("")
    : meant.test(own)
      ? `<${script}>${own}</${script}>`
      : own
  return text.replace(own, () => written)
}
