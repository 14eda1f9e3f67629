/** `.eml` and `.msg`: the headers and the body of a message as Markdown, and a list of its attachments. */
import * as Effect from "effect/Effect"
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime"
import type { FormatReader, Reading } from "./contract.ts"
import { decode } from "./decode.ts"
import { type Attached, type Letter, oneLine, reading } from "./letter.ts"
import { reading as plain } from "./plain.ts"
import * as Tnef from "./tnef.ts"

const addressesOf = (addresses: ReadonlyArray<Address>): string =>
  addresses
    .map((address) =>
      address.group === undefined
        ? [address.name, address.address && `<${address.address}>`].filter((part) => part).join(" ")
        : `${address.name}: ${addressesOf(address.group)}`
    )
    .join(", ")

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)

/** The name of the file, else the subject of a message that is attached. */
const nameOf = ({ content, filename, mimeType }: Attachment): Effect.Effect<string> => {
  if (filename || mimeType !== "message/rfc822" || typeof content === "string")
    return Effect.succeed(oneLine(filename ?? ""))
  return Effect.promise(() => PostalMime.parse(content)).pipe(
    Effect.map(({ subject = "" }) => oneLine(subject)),
    Effect.catchAllDefect(() => Effect.succeed(""))
  )
}

const attachedOf = (attachment: Attachment): Effect.Effect<Attached> =>
  Effect.map(nameOf(attachment), (name) => ({ name, mimeType: attachment.mimeType, content: bytesOf(attachment) }))

/** Everything after the headers; null for a message that ends with them. */
const afterHeaders = (bytes: Uint8Array): Uint8Array | null => {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const next = bytes[at + 1] === 13 ? at + 2 : at + 1
    if (bytes[next] === 10) return bytes.subarray(next + 1)
  }
  return null
}

/** The body as it is written, of a message whose parts were not found: a header without a boundary, or with a wrong one. */
const rawBody = (bytes: Uint8Array): Effect.Effect<Pick<Letter, "text" | "warnings">> =>
  Effect.map(decode(afterHeaders(bytes) ?? new Uint8Array()), (decoded) => {
    const text = decoded?.text.replace(/^\s*\n/u, "") ?? ""
    const warnings = text.trim() === "" ? [] : ["its parts cannot be told apart; its body was read as it is written"]
    return { text, warnings }
  })

const isOutlook = ({ mimeType, name }: Attached): boolean =>
  mimeType === "application/ms-tnef" || name.toLowerCase() === "winmail.dat"

/** The message with what is inside of winmail.dat in the place of that. */
const unwrapped = (letter: Letter): Letter => {
  const at = letter.attachments.findIndex(isOutlook)
  const found = letter.attachments[at]
  if (found === undefined) return letter
  const inner = Tnef.letterOf(found.content)
  if (inner === null)
    return {
      ...letter,
      warnings: [...letter.warnings, "winmail.dat cannot be opened: attachments, and maybe text, are missing"]
    }
  const isBlank = letter.text.trim() === "" && letter.html.trim() === ""
  return {
    ...letter,
    ...(isBlank && { text: inner.text, html: inner.html }),
    attachments: letter.attachments.toSpliced(at, 1, ...inner.attachments),
    warnings: [...letter.warnings, ...inner.warnings]
  }
}

const isEmpty = ({ attachments, html = "", text = "" }: Email): boolean =>
  attachments.length === 0 && html.trim() === "" && text.trim() === ""

/** A message that cannot be taken apart is read as it is written. */
const asText = (bytes: Uint8Array): Effect.Effect<Reading> =>
  Effect.map(decode(bytes), (decoded) => ({
    ...plain(decoded?.text ?? ""),
    warnings: ["it is no message that can be taken apart, and was read as plain text"]
  }))

/** Headers of which a message has at least one. */
const customary: ReadonlySet<string> = new Set(
  "from to cc bcc sender reply-to subject date message-id received return-path delivered-to mime-version content-type".split(
    " "
  )
)

const named = new RegExp(`^[ \\t]*(?:${[...customary].join("|")})[ \\t]*:`, "imu")

/** False for bytes in which no line can be such a header: the parser takes 17 microseconds for a line of them, and finds no message. */
const mayBeMessage = (bytes: Uint8Array): boolean =>
  named.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"))

const isMessage = ({ headers }: Email): boolean => headers.some(({ key }) => customary.has(key))

/** Parts of a message, and messages in it: the parser takes some 30 microseconds for a part, and holds all else meanwhile. */
const most = { parts: 10_000, messages: 1000 } as const

const boundaries = /\bboundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/giu

/** The bound that a message is above, found in one pass over its lines; null for one that may be parsed. */
const tooMany = (bytes: Uint8Array): string | null => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const named = new Set<string>()
  for (const [, quoted, bare] of text.matchAll(boundaries)) named.add(`--${quoted ?? bare}`)
  let parts = 0
  // Each boundary is that of a part.
  for (
    let at = text.indexOf("--");
    at >= 0 && named.size + parts <= most.parts;
    at = text.indexOf("\n--", at) + 1 || -1
  ) {
    const end = text.indexOf("\n", at)
    const line = text.slice(at, end < 0 ? undefined : Math.min(end, at + 210)).trimEnd()
    if (named.has(line) && (at === 0 || text.charAt(at - 1) === "\n")) parts += 1
  }
  const told = (count: number, what: string) =>
    `it has more than ${count} ${what}; take it apart with a mail program, or leave it out`
  if (named.size + parts > most.parts) return told(most.parts, "parts")
  let messages = 0
  for (const _ of text.matchAll(/^(?:content-type:[ \t]*|[ \t]+)message\/rfc822/gimu)) {
    messages += 1
    if (messages > most.messages) return told(most.messages, "messages inside")
  }
  return null
}

const letterOfEmail = (email: Email, bytes: Uint8Array): Effect.Effect<Letter> =>
  Effect.gen(function* () {
    const { cc = [], date = "", from, html = "", messageId = "", subject = "", text = "", to = [] } = email
    return unwrapped({
      subject,
      from: from === undefined ? "" : addressesOf([from]),
      to: addressesOf(to),
      cc: addressesOf(cc),
      date,
      messageId,
      html,
      attachments: yield* Effect.forEach(email.attachments, attachedOf),
      ...(isEmpty(email) ? yield* rawBody(bytes) : { text, warnings: [] })
    })
  })

/** Text of two bytes a character as UTF-8: a message that an editor saved so. */
const inUtf8 = (bytes: Uint8Array): Effect.Effect<Uint8Array> => {
  const isWide = bytes[0] === 0 || bytes[1] === 0 || (bytes[0] ?? 0) + (bytes[1] ?? 0) === 0xff + 0xfe
  return isWide
    ? Effect.map(decode(bytes), (decoded) => (decoded === null ? bytes : new TextEncoder().encode(decoded.text)))
    : Effect.succeed(bytes)
}

/** The message in bytes of a mail program; null for what is none. Fails, in words, for one that is above a bound. */
const mailOf = (given: Uint8Array): Effect.Effect<Letter | null, string> => Effect.flatMap(inUtf8(given), parsed)

const parsed = (bytes: Uint8Array): Effect.Effect<Letter | null, string> => {
  if (!mayBeMessage(bytes)) return Effect.succeed(null)
  const problem = tooMany(bytes)
  if (problem !== null) return Effect.fail(problem)
  return Effect.tryPromise(() => PostalMime.parse(bytes)).pipe(
    Effect.catchAll(() => Effect.succeed(null)),
    Effect.flatMap((email) => (email !== null && isMessage(email) ? letterOfEmail(email, bytes) : Effect.succeed(null)))
  )
}

/** The message in bytes of Outlook, else in those of another mail program. */
const outlookOf = (bytes: Uint8Array): Effect.Effect<Letter | null, string> =>
  Effect.flatMap(
    Effect.promise(() => import("./outlookFile.ts")),
    ({ letterOf }) => {
      const letter = letterOf(bytes)
      return letter === null ? mailOf(bytes) : Effect.succeed(letter)
    }
  )

/** The message in bytes of a file of that extension; null for what is none. Fails, in words, for one that is above a bound. */
export const letterOf = (extension: string, bytes: Uint8Array): Effect.Effect<Letter | null, string> =>
  extension === "msg" ? outlookOf(bytes) : mailOf(bytes)

const readAs =
  (extension: string) =>
  (bytes: Uint8Array): Effect.Effect<Reading, string> =>
    Effect.flatMap(letterOf(extension, bytes), (letter) => (letter === null ? asText(bytes) : reading(letter)))

export const mail: FormatReader = { ofBytes: readAs("eml") }

export const outlook: FormatReader = { ofBytes: readAs("msg") }
