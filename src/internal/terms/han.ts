/** Chinese characters in their simplified form. */
import traditional from "opencc-js/dict/TSCharacters"

/** Simplified characters by traditional ones; the first where there are several. */
const simple: ReadonlyMap<string, string> = new Map(
  traditional.split("|").map((pair) => {
    const [from = "", to = ""] = pair.split(" ")
    return [from, to] as const
  })
)

/** `機器學習` becomes `机器学习`. */
export const simplified = (text: string): string => {
  let found = ""
  for (const character of text) found += simple.get(character) ?? character
  return found
}
