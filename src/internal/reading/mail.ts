/** `.eml`: the headers and the body of a message as Markdown, and a list of its attachments. */
import * as Effect from "effect/Effect"
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime"
import type { TextBlock } from "../../ParsedDocument.ts"
import type { Format, Reading } from "./contract.ts"
import { decode } from "./decode.ts"
import { reading as plain } from "./plain.ts"

/** UTF-16 code units of HTML that are converted; a page of megabytes takes seconds. */
const longest = 2_000_000

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const addressesOf = (addresses: ReadonlyArray<Address>): string =>
  addresses
    .map((address) =>
      address.group === undefined
        ? [address.name, address.address && `<${address.address}>`].filter((part) => part).join(" ")
        : `${address.name}: ${addressesOf(address.group)}`
    )
    .join(", ")

/** Names and values of the headers that a reader is shown. */
const headersOf = ({ cc = [], date, from, to = [] }: Email): ReadonlyArray<readonly [string, string]> =>
  [
    ["From", from === undefined ? "" : addressesOf([from])],
    ["To", addressesOf(to)],
    ["Cc", addressesOf(cc)],
    ["Date", date ?? ""]
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [[name, oneLine(value)] as const]))

/** The name of the file, else the subject of a message that is attached. */
const nameOf = ({ content, filename, mimeType }: Attachment): Effect.Effect<string> => {
  if (filename || mimeType !== "message/rfc822" || typeof content === "string")
    return Effect.succeed(oneLine(filename ?? ""))
  return Effect.promise(() => PostalMime.parse(content)).pipe(
    Effect.map(({ subject = "" }) => oneLine(subject)),
    Effect.catchAllDefect(() => Effect.succeed(""))
  )
}

const sizeOf = ({ content }: Attachment): number => (typeof content === "string" ? content.length : content.byteLength)

const attachmentOf = (attachment: Attachment, name: string): string => {
  const size = sizeOf(attachment)
  return `- ${name || "without a name"} (${attachment.mimeType}, ${size} ${size === 1 ? "byte" : "bytes"})`
}

/** Text of HTML that is too long for a conversion. */
const withoutTags = (html: string): string =>
  html.replace(/<(?:style|script)\b[^]*?<\/(?:style|script)\s*>|<[^>]*>/giu, " ")

/** The page's Markdown; the mark in front says that it is UTF-8, whatever the page says. */
const markdownOf = (html: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { parse } = await import("../../engine/html/PageParser.ts")
    const { markdown = "" } = await parse({
      kind: "html",
      bytes: new TextEncoder().encode(`\uFEFF${html}`),
      extension: "html",
      members: ["markdown"],
      onlyMainContent: false,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: false
    })
    return markdown
  })

interface Body {
  readonly text: string
  readonly isMarkdown: boolean
  readonly warnings: ReadonlyArray<string>
}

/** Everything after the headers; null for a message that ends with them. */
const afterHeaders = (bytes: Uint8Array): Uint8Array | null => {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const next = bytes[at + 1] === 13 ? at + 2 : at + 1
    if (bytes[next] === 10) return bytes.subarray(next + 1)
  }
  return null
}

/** The body as it is written, of a message whose parts were not found: a header without a boundary, or with a wrong one. */
const rawBody = (bytes: Uint8Array): Effect.Effect<Body> =>
  Effect.map(decode(afterHeaders(bytes) ?? new Uint8Array()), (decoded) => {
    const text = decoded?.text.replace(/^\s*\n/u, "") ?? ""
    const warnings = text.trim() === "" ? [] : ["its parts cannot be told apart; its body was read as it is written"]
    return { text, isMarkdown: false, warnings }
  })

const isOutlook = ({ filename, mimeType }: Attachment): boolean =>
  mimeType === "application/ms-tnef" || filename?.toLowerCase() === "winmail.dat"

const isEmpty = ({ attachments, html = "", text = "" }: Email): boolean =>
  attachments.length === 0 && html.trim() === "" && text.trim() === ""

const bodyOf = ({ html = "", text = "" }: Email): Effect.Effect<Body> => {
  if (text.trim() !== "" || html.trim() === "") return Effect.succeed({ text, isMarkdown: false, warnings: [] })
  const cut = (problem: string): Body => ({
    text: withoutTags(html),
    isMarkdown: false,
    warnings: [`${problem}; its tags were removed`]
  })
  if (html.length > longest) return Effect.succeed(cut("the body is a web page of more than 2 million characters"))
  return markdownOf(html).pipe(
    Effect.map((text) => ({ text, isMarkdown: true, warnings: [] })),
    Effect.catchAllDefect(() => Effect.succeed(cut("the body is a web page that cannot be converted")))
  )
}

/** Puts parts one after another, with an empty line between them. */
class Writer {
  markdown = ""
  readonly blocks: Array<TextBlock> = []

  add(text: string, blocksOf: (length: number) => ReadonlyArray<TextBlock>): void {
    if (text.trim() === "") return
    if (this.markdown !== "") this.markdown += "\n\n"
    const at = this.markdown.length
    this.markdown += text
    for (const block of blocksOf(text.length))
      this.blocks.push({ ...block, start: at + block.start, end: at + block.end })
  }
}

/** Headings of the body stand below the subject. */
const below = ({ depth, kind, ...block }: TextBlock): TextBlock =>
  kind === "heading" ? { ...block, kind, depth: (depth ?? 1) + 1 } : { ...block, kind }

const written = (email: Email, body: Body, names: ReadonlyArray<string>): Reading => {
  const { isMarkdown } = body
  const text = body.text.trimEnd()
  const writer = new Writer()
  const subject = oneLine(email.subject ?? "")
  const { attachments, date, from, messageId } = email
  const headers = headersOf(email)
  writer.add(subject === "" ? "" : `# ${subject}`, (end) => [{ kind: "heading", start: 0, end, title: subject }])
  writer.add(headers.map(([name, value]) => `${name}: ${value}`).join("\n"), (end) => [
    { kind: "lines", start: 0, end }
  ])
  writer.add(text, (end) =>
    isMarkdown ? [{ kind: "markdown", start: 0, end }] : (plain(text).blocks ?? []).map(below)
  )
  writer.add(
    attachments.length === 0
      ? ""
      : ["Attachments:", "", ...attachments.map((attachment, at) => attachmentOf(attachment, names[at] ?? ""))].join(
          "\n"
        ),
    (end) => [{ kind: "list", start: 0, end }]
  )
  return {
    markdown: writer.markdown,
    blocks: writer.blocks,
    metadata: {
      ...(subject !== "" && { title: subject }),
      ...(from !== undefined && { from: addressesOf([from]) }),
      ...(date !== undefined && !Number.isNaN(Date.parse(date)) && { date }),
      ...(messageId !== undefined && { messageId }),
      ...(attachments.length > 0 && { attachments: names.filter((name) => name !== "") })
    },
    warnings: attachments.some(isOutlook)
      ? [...body.warnings, "attachments, and maybe text, are inside of winmail.dat, which is not opened"]
      : body.warnings
  }
}

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

const read = (bytes: Uint8Array): Effect.Effect<Reading, string> => {
  if (!mayBeMessage(bytes)) return asText(bytes)
  const problem = tooMany(bytes)
  return problem === null ? parsed(bytes) : Effect.fail(problem)
}

const parsed = (bytes: Uint8Array): Effect.Effect<Reading> =>
  Effect.tryPromise(() => PostalMime.parse(bytes)).pipe(
    Effect.flatMap((email) =>
      isMessage(email)
        ? Effect.zipWith(
            isEmpty(email) ? rawBody(bytes) : bodyOf(email),
            Effect.forEach(email.attachments, nameOf),
            (body, names) => written(email, body, names)
          )
        : asText(bytes)
    ),
    Effect.catchAll(() => asText(bytes))
  )

export const mail: Format = { extensions: ["eml"], mimeType: "message/rfc822", ofBytes: read }
