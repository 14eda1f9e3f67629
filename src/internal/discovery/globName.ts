/**
 * Maps names to a form that fast-glob can match. Its patterns cannot spell some characters (a backslash, a quote, the sign of an extended
 * glob as a part of a name), and its wildcards do not match line breaks. Each of these is replaced by one character of a private range,
 * in names and patterns alike; {@link real} undoes it.
 */
import type * as fs from "node:fs"
import fg from "fast-glob"

/** First private character; 128 of them stand for ASCII. */
const ascii = 0xf780
const lineSeparator = "\uF77D"
const paragraphSeparator = "\uF77E"
/** Escapes a private character that the name itself contains. */
const escapeMark = "\uF77F"

const maskedOf: Readonly<Record<string, string>> = { "\u2028": lineSeparator, "\u2029": paragraphSeparator }
const realOf: Readonly<Record<string, string>> = { [lineSeparator]: "\u2028", [paragraphSeparator]: "\u2029" }

const masked = (character: string): string =>
  /[\uF77D-\uF7FF]/.test(character)
    ? `${escapeMark}${character}`
    : (maskedOf[character] ?? String.fromCharCode(ascii + character.charCodeAt(0)))

/** Masks a name, or a path of names. */
export const name = (text: string): string => text.replaceAll(/[\n\r\u2028\u2029\\"\uF77D-\uF7FF]|[!+@](?=\()/g, masked)

/** Unmasks a name or path. */
export const real = (text: string): string =>
  text.replaceAll(
    /\uF77F([\uF77D-\uF7FF])|[\uF77D-\uF7FF]/g,
    (character: string, itself: string | undefined) =>
      itself ?? realOf[character] ?? String.fromCharCode(character.charCodeAt(0) - ascii)
  )

/** A pattern that matches this name or path only. */
export const literal = (text: string): string => fg.escapePath(name(text))

/** Masks a user's pattern: a backslash takes the character after it literally. */
export const glob = (pattern: string): string =>
  pattern.replaceAll(
    /\\([\\"]|[!+@](?=\\?\())|[\n\r\u2028\u2029"\uF77D-\uF7FF]/g,
    (found: string, escaped: string | undefined) => masked(escaped ?? found)
  )

/** Directory entry under its masked name. A pipe, a socket or a device counts as a file, so that it is found and refused. */
export const entry = (found: fs.Dirent): fs.Dirent => {
  const masked = name(found.name)
  const special = !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
  if (masked === found.name && !special) return found
  return Object.create(found, { name: { value: masked }, ...(special && { isFile: { value: () => true } }) })
}
