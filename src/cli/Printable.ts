/**
 * Makes text safe for a terminal. File names, messages of services and documents are written by others: a control character could move
 * the cursor, colour or hide text, set the title or type into the shell, and a bidi control could reverse a name.
 */

/** C0, DEL, C1, line and paragraph separators, and controls of the writing direction. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** The same controls except those of a document's layout: tabs and line breaks. */
const unlaid = /(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const escaped = (control: string): string =>
  short[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`

/** One line: every control character is escaped as in JSON, so that a JSON value keeps its meaning. */
export const line = (text: string): string => text.replaceAll(controls, escaped)

/** Several lines: as {@link line}, but line breaks and tabs are kept. */
export const document = (text: string): string => text.replaceAll(unlaid, escaped)

/** A message of several lines: all but the first are indented, so that none of them looks like a separate message. */
export const block = (text: string): string => text.split("\n").map(line).join("\n  ")
