/**
 * Names of documents as paths that every file system takes, and back.
 *
 * A component keeps what is harmless. Escaped as `%XX` (UTF-8 bytes) are: `%`, control characters, `< > : " \ | ? *`, a
 * trailing dot or blank, `.` and `..`, the first letter of a device name of Windows (`con`, `lpt1.txt`) and of a name that the
 * store uses itself, and everything beyond ASCII in a name that is not in normal form C; a lone surrogate is `%uXXXX`, an empty
 * component `%_`. A component above 180 bytes is cut into nested folders whose names end in `%-`.
 */
export const encode = (name: string): string =>
  name
    .split("/")
    .map((part) => component(part, () => false))
    .join("/")

/** As `encode`, with every capital escaped. */
export const encodeCase = (name: string): string =>
  name
    .split("/")
    .map((part) => component(part, (character) => character.toUpperCase().toLowerCase() !== character))
    .join("/")

/** As `encode`, with every letter escaped that has another case: differs from every other name's even where case is ignored. */
export const encodeLetters = (name: string): string =>
  name
    .split("/")
    .map((part) => component(part, (character) => character.toUpperCase() !== character.toLowerCase()))
    .join("/")

/** The path folded such that paths equal to a file system that ignores case and normal form become equal. */
export const folded = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")

/** The name that one of these made a path of. */
export const decode = (path: string): string =>
  path
    .replaceAll("%-/", "")
    .split("/")
    .map((part) => (part === "%_" ? "" : part.replaceAll(escapes, unescaped)))
    .join("/")

/** True for the name of a chunk's file in a document's folder. */
export const isChunkFile = (name: string): boolean => chunkFile.test(name)

const chunkFile = /^\d+(?:~\d+)?\.md$/iu
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu
const reserved = /^(?:manifest\.json(?:\.tmp)?|\.docsluice-fs)$/iu
const harmful = /[\p{Cc}<>:"\\|?*%\u2028\u2029\ufeff\ufffe\uffff]/u
const escapes = /(?:%[0-9A-F]{2})+|%u[0-9A-F]{4}/gu
const longest = 180

const component = (part: string, isEscaped: (character: string) => boolean): string => {
  if (part === "") return "%_"
  const everything = part.normalize("NFC") !== part
  const tokens: Array<string> = []
  for (const character of part) {
    const bad =
      harmful.test(character) || (everything && character > "\u007f") || isEscaped(character) || isLone(character)
    tokens.push(bad ? escaped(character) : character)
  }
  const last = tokens.at(-1)
  if (last === "." || last === " ") tokens[tokens.length - 1] = escaped(last)
  return pieces(tokens).join("%-/")
}

/** Cuts between tokens; a piece that the file system or the store would take for something else has its first one escaped. */
const pieces = (tokens: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all: Array<string> = []
  let piece = ""
  let bytes = 0
  for (const token of tokens) {
    const size = Buffer.byteLength(token)
    if (bytes + size > longest) {
      all.push(piece)
      piece = ""
      bytes = 0
    }
    piece += token
    bytes += size
  }
  all.push(piece)
  return all.map((text) =>
    device.test(text) || reserved.test(text) || chunkFile.test(text) || text === "."
      ? escaped(text.slice(0, 1)) + text.slice(1)
      : text
  )
}

const isLone = (character: string): boolean => character.length === 1 && character >= "\ud800" && character <= "\udfff"

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0")

const escaped = (character: string): string =>
  isLone(character)
    ? `%u${hex(character.charCodeAt(0), 4)}`
    : Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`).join("")

const unescaped = (run: string): string =>
  run.startsWith("%u")
    ? String.fromCharCode(Number.parseInt(run.slice(2), 16))
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(run.replaceAll("%", ""), "hex"))
