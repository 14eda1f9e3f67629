/**
 * Addresses of pages and mailboxes in Markdown that are no links by brackets: readers of Markdown make links of them, in which a
 * backslash is a part of the address.
 *
 * Source: GitHub Flavored Markdown, 6.9 ("Autolinks").
 */

const address =
  /(?:https?:\/\/|www\.)[^\s<>|]*[^\s<>|?!.,:\\'")]|(?<![\w.+\\-])[\w.+\\-]{1,128}@[\w\\-]+\.[\w.\\-]*\w/gi

const escape = /\\(?=[_~*])/g

/** A text of Markdown whose addresses have no escapes. The text is no code, and no label of a link, where escapes have a meaning. */
export const unescaped = (text: string): string =>
  text.includes("\\") ? text.replaceAll(address, (found) => found.replaceAll(escape, "")) : text

/** Code, and links with their labels. */
const other = /^(`{3,}|~{3,})[^]*?^\1|`+[^`\n]+`+|\[(?:[^[\]\\\n]|\\.){0,1000}\]\(/gmu

/** A Markdown document whose addresses have no escapes, but in code and in labels of links. */
export const ofDocument = (markdown: string): string => {
  if (!markdown.includes("\\")) return markdown
  const parts: Array<string> = []
  let from = 0
  for (const { 0: found, index } of markdown.matchAll(other)) {
    parts.push(unescaped(markdown.slice(from, index)), found)
    from = index + found.length
  }
  return [...parts, unescaped(markdown.slice(from))].join("")
}
