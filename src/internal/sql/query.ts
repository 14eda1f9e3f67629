/** The text of a query, so that it can stand in another one. */

/** Names of the columns of a query. */
export interface Columns {
  readonly key: string
  /** Null: that of the usual name, if there is one. */
  readonly version: string | null
  readonly content: string
}

/** Usual name of the column of a row's version. */
export const usualVersion = "version"

/** Comments, spaces and semicolons; then texts and names in quotes; then any other character. */
const token =
  /(--[^\n]*|\/\*[\s\S]*?\*\/|[;\s]+)|[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(\w*)\$[\s\S]*?\$\2\$|[\s\S]/gu

/** The query without the semicolons and comments at its end. */
export const trimmed = (text: string): string => {
  let end = 0
  for (const { 0: part, 1: idle, index } of text.matchAll(token)) if (idle === undefined) end = index + part.length
  return text.slice(0, end)
}

/** As an identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The column of the version among those that a query has; null where it has none. Or the problem in words. */
export const versionOf = (
  columns: Columns,
  found: ReadonlyArray<string>
): { readonly version: string | null } | string => {
  const { content, key, version } = columns
  const missing = [key, content, ...(version === null ? [] : [version])].find((name) => !found.includes(name))
  if (missing !== undefined) {
    return `the query gives no column ${missing}, but ${found.join(", ")}; name it so (AS ${quoted(missing)}), or name the columns`
  }
  return { version: version ?? (found.includes(usualVersion) ? usualVersion : null) }
}
