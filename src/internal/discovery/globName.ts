/**
 * Names as fast-glob sees them. Its patterns cannot spell some characters (a backslash, a quote, the sign of an extended glob as a
 * part of a name), and its wildcards do not match line breaks. Each of these stands as one character of a private range instead, in
 * names and patterns alike; {@link real} takes it back.
 */
import type * as fs from "node:fs"
import fg from "fast-glob"

/** ASCII from here on, 128 characters. */
const ascii = 0xf780
const lineSeparator = "\uF77D"
const paragraphSeparator = "\uF77E"
/** Before a character of the range that a name has itself. */
const own = "\uF77F"

const maskedOf: Readonly<Record<string, string>> = { "\u2028": lineSeparator, "\u2029": paragraphSeparator }
const realOf: Readonly<Record<string, string>> = { [lineSeparator]: "\u2028", [paragraphSeparator]: "\u2029" }

const masked = (character: string): string =>
  /[\uF77D-\uF7FF]/.test(character)
    ? `${own}${character}`
    : (maskedOf[character] ?? String.fromCharCode(ascii + character.charCodeAt(0)))

/** A name, or a path of names. */
export const name = (text: string): string => text.replaceAll(/[\n\r\u2028\u2029\\"\uF77D-\uF7FF]|[!+@](?=\()/g, masked)

/** The name or path behind a masked one. */
export const real = (text: string): string =>
  text.replaceAll(
    /\uF77F([\uF77D-\uF7FF])|[\uF77D-\uF7FF]/g,
    (character: string, itself: string | undefined) =>
      itself ?? realOf[character] ?? String.fromCharCode(character.charCodeAt(0) - ascii)
  )

/** A pattern that matches the name or path and nothing else. */
export const literal = (text: string): string => fg.escapePath(name(text))

/** A pattern as a person writes it: a backslash takes the character after it literally. */
export const glob = (pattern: string): string =>
  pattern.replaceAll(
    /\\([\\"]|[!+@](?=\\?\())|[\n\r\u2028\u2029"\uF77D-\uF7FF]/g,
    (found: string, escaped: string | undefined) => masked(escaped ?? found)
  )

/** An entry of a folder under its masked name. A pipe, a socket or a device counts as a file, so that it is met and refused. */
export const entry = (found: fs.Dirent): fs.Dirent => {
  const masked = name(found.name)
  const special = !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
  if (masked === found.name && !special) return found
  return Object.create(found, { name: { value: masked }, ...(special && { isFile: { value: () => true } }) })
}
