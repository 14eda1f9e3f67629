/**
 * Text as a terminal may have it. File names, messages of services and documents hold what others wrote: a control character would
 * move the cursor, colour or hide text, set the title or type into the shell, and a bidi control would turn a name around.
 */

/** C0, DEL, C1, the separators of lines and paragraphs, and the controls of the writing direction. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** All of them but the layout of a document: tabs and line breaks. */
const unlaid = /(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const escaped = (control: string): string =>
  short[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`

/** One line: every control character as JSON escapes it, so that a JSON value keeps its meaning. */
export const line = (text: string): string => text.replaceAll(controls, escaped)

/** Several lines: as {@link line}, with line breaks and tabs as they are. */
export const document = (text: string): string => text.replaceAll(unlaid, escaped)

/** Several lines of one message: all but the first are indented, so that none of them passes for a message of its own. */
export const block = (text: string): string => text.split("\n").map(line).join("\n  ")
