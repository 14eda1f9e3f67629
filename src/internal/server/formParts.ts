import * as Either from "effect/Either"
import * as Option from "effect/Option"

/** The bytes of a form, in memory or in a file. */
export interface FormBody {
  readonly length: number
  /** Offset of the first occurrence of a delimiter at or after `from`; -1 without one. */
  readonly indexOf: (delimiter: Buffer, from: number) => number
  /** The bytes from `start` to before `end`, at most to the end of the body. */
  readonly slice: (start: number, end: number) => Buffer
}

/** A body in memory; its slices are views. */
export const inMemory = (bytes: Uint8Array): FormBody => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    length: body.length,
    indexOf: (wanted, from) => body.indexOf(wanted, from),
    slice: (start, end) => body.subarray(start, end)
  }
}

/** One part of a form. Its bytes are those of the body from `start` to before `end`. */
export interface Part {
  readonly name: string
  /** File name without folders; undefined when the part has none. */
  readonly filename: string | undefined
  readonly contentType: string | undefined
  readonly start: number
  readonly end: number
}

/** A form needs two parts; a body of a million tiny ones is an attack. */
const maxParts = 32

const maxHeaderBytes = 16_384

/** The boundary that a `multipart/form-data` content type names. */
export const boundaryOf = (contentType: string): Option.Option<string> => {
  const parameters = /^\s*multipart\/form-data\s*(;.*)$/is.exec(contentType)?.[1]
  const match = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(parameters ?? "")
  return Option.fromNullable(match?.[1] ?? match?.[2]).pipe(
    Option.filter((boundary) => boundary.length > 0 && boundary.length <= 200)
  )
}

const fatalUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Decodes bytes as UTF-8; none when they are not valid. */
export const utf8 = Option.liftThrowable((bytes: Uint8Array) => fatalUtf8.decode(bytes))

const percentDecoded = Option.liftThrowable((text: string) => decodeURIComponent(text))

/** Decodes an RFC 5987 value: `UTF-8''na%C3%AFve.pdf`. */
const extendedValue = (text: string): Option.Option<string> => {
  const match = /^\s*(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(text)
  if (match?.[2] === undefined) return Option.none()
  return match[1]?.toLowerCase() === "utf-8"
    ? percentDecoded(match[2])
    : Option.some(
        match[2].replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      )
}

/** Undoes the escapes of a file name: browsers write a quote as %22 and line breaks as %0D and %0A, other clients use a backslash. */
const unquoted = (text: string): string =>
  text
    .replace(/\\(["\\])/g, "$1")
    .replace(/%(22|0d|0a)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const parametersOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(header.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g), (match) => [
      (match[1] ?? "").toLowerCase(),
      match[2] === undefined ? (match[3] ?? "").trim() : unquoted(match[2])
    ])
  )

const withoutFolders = (name: string): string => name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)

const headersOf = (block: Uint8Array): ReadonlyMap<string, string> => {
  const text = Option.getOrElse(utf8(block), () => Buffer.from(block).toString("latin1"))
  return new Map(
    text.split("\r\n").map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    })
  )
}

const partOf = (
  headers: ReadonlyMap<string, string>,
  place: Pick<Part, "start" | "end">
): Either.Either<Part, string> => {
  const parameters = parametersOf(headers.get("content-disposition") ?? "")
  const name = parameters.get("name")
  if (name === undefined) return Either.left("a part has no name")
  const filename = Option.fromNullable(parameters.get("filename*")).pipe(
    Option.flatMap(extendedValue),
    Option.orElse(() => Option.fromNullable(parameters.get("filename"))),
    Option.map(withoutFolders)
  )
  return Either.right({
    name,
    filename: Option.getOrUndefined(filename),
    contentType: headers.get("content-type"),
    ...place
  })
}

const crlf = Buffer.from("\r\n")

/** White space that is allowed between a delimiter and its line end. */
const maxPadding = 1024

/** Offset after the line end that must follow a delimiter, from `at` on; white space before it is allowed. -1 when it is missing. */
const lineEnd = (body: FormBody, at: number): number => {
  const next = body.slice(at, at + maxPadding)
  let end = 0
  while (next[end] === 0x20 || next[end] === 0x09) end++
  return next[end] === 0x0d && next[end + 1] === 0x0a ? at + end + 2 : -1
}

const dash = 0x2d

const isClosing = (body: FormBody, at: number): boolean => {
  const [first, second] = body.slice(at, at + 2)
  return first === dash && second === dash
}

/** Bytes before each part and after the last, except where the form begins with the first part. */
export const delimiterOf = (boundary: string): Buffer => Buffer.concat([crlf, dashesOf(boundary)])

const dashesOf = (boundary: string): Buffer => Buffer.from(`--${boundary}`, "latin1")

/**
 * All parts of a complete form. Text before the first boundary and after the last is ignored. The error is a description of the fault.
 * Copies no part; linear in the length of the body.
 */
export const parse = (body: FormBody, boundary: string): Either.Either<ReadonlyArray<Part>, string> => {
  const dashes = dashesOf(boundary)
  const delimiter = delimiterOf(boundary)
  const parts: Array<Part> = []
  let at = body.slice(0, dashes.length).equals(dashes) ? dashes.length : after(body, delimiter, 0)
  if (at < 0) return Either.left(body.length === 0 ? "it is empty" : "its boundary is not in it")
  while (!isClosing(body, at)) {
    const head = lineEnd(body, at)
    if (head < 0) return Either.left("a boundary is not followed by a line end")
    if (parts.length === maxParts) return Either.left(`it has more than ${maxParts} parts`)
    const blank = body.slice(head - 2, head + maxHeaderBytes).indexOf("\r\n\r\n")
    if (blank < 0) return Either.left("the headers of a part do not end")
    const start = head - 2 + blank + 4
    const end = body.indexOf(delimiter, start - 2)
    if (end < 0) return Either.left("it ends before its closing boundary")
    const headers = headersOf(body.slice(head, Math.max(head, start - 4)))
    const part = partOf(headers, { start, end: Math.max(start, end) })
    if (Either.isLeft(part)) return Either.left(part.left)
    parts.push(part.right)
    at = end + delimiter.length
  }
  return Either.right(parts)
}

const after = (body: FormBody, delimiter: Buffer, from: number): number => {
  const found = body.indexOf(delimiter, from)
  return found < 0 ? -1 : found + delimiter.length
}
