import { createHash } from "node:crypto"
import type { Asked, Received } from "./answers.ts"

interface Part {
  readonly headers: string
  readonly data: Buffer
}

/** The parts of a body, read strictly: any byte out of place is an error. */
const partsOf = (body: Buffer, contentType: string): ReadonlyArray<Part> => {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Error("no boundary")
  const delimiter = Buffer.from(`--${boundary}`)
  const parts: Array<Part> = []
  let at = delimiter.length
  if (body.indexOf(delimiter) !== 0) throw new Error("bytes before the first boundary")
  while (body.subarray(at, at + 2).toString("latin1") === "\r\n") {
    const headersEnd = body.indexOf("\r\n\r\n", at)
    const end = body.indexOf(`\r\n--${boundary}`, headersEnd + 2)
    if (headersEnd < 0 || end < 0) throw new Error("a part is not closed")
    parts.push({
      headers: body.subarray(at + 2, headersEnd).toString("utf8"),
      data: body.subarray(headersEnd + 4, end)
    })
    at = end + 2 + delimiter.length
  }
  if (body.subarray(at).toString("latin1") !== "--\r\n") throw new Error("no closing boundary, or bytes after it")
  return parts
}

const fileNameOf = (headers: string): string => {
  const whole = /filename\*=UTF-8''(\S+)/.exec(headers)?.[1]
  const name = whole === undefined ? /filename="([^"]*)"/.exec(headers)?.[1] : decodeURIComponent(whole)
  if (name === undefined) throw new Error("the part file has no file name")
  return name
}

/** The file and the options of an upload, as the public service takes them. */
export const readUpload = (body: Buffer, contentType: string): { readonly file: Received; readonly options: Asked } => {
  const parts = partsOf(body, contentType)
  const file = parts.find((part) => part.headers.includes('name="file"'))
  const options = parts.find((part) => part.headers.includes('name="options"'))
  if (file === undefined || parts.length > 2) throw new Error("exactly one file and at most one options part")
  if (options?.headers.includes("filename") === true) throw new Error("Unexpected field")
  if (options !== undefined && !options.headers.includes("application/json")) throw new Error("options are not JSON")
  return {
    file: {
      filename: fileNameOf(file.headers),
      contentType: /content-type: (\S+)/i.exec(file.headers)?.[1] ?? "",
      size: file.data.length,
      sha256: createHash("sha256").update(file.data).digest("hex")
    },
    options: options === undefined ? {} : JSON.parse(options.data.toString("utf8"))
  }
}
