import { trimStart } from "./Leaf.ts"

/** One link reference definition at the start of a paragraph (CommonMark, "Link reference definitions"). */
const definition =
  /[ \t]{0,3}\[(?:[^[\]\\]|\\[^\r\n])+\]:[ \t]*(?:\r?\n[ \t]*)?(?:<[^<>\r\n]*>|[^\s<]\S*)(?:[ \t]+(?:\r?\n[ \t]*)?(?:"[^"\r\n]*"|'[^'\r\n]*'|\([^()\r\n]*\)))?[ \t]*(?:\r?\n|$)/y

/** Longest paragraph that is looked at. */
const longest = 10_000

/** Where a paragraph's text starts, behind the link reference definitions that it starts with. */
export const definitionsEnd = (text: string, start: number, end: number): number => {
  if (end - start > longest || !text.startsWith("[", trimStart(text, start, end))) {
    return start
  }
  const paragraph = text.slice(start, end)
  let at = 0
  for (;;) {
    definition.lastIndex = at
    const found = definition.exec(paragraph)
    if (found === null || found[0] === "") {
      return start + at
    }
    at += found[0].length
  }
}
