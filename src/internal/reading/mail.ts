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

const sizeOf = ({ content }: Attachment): number => (typeof content === "string" ? content.length : content.byteLength)

const attachmentOf = (attachment: Attachment): string => {
  const size = sizeOf(attachment)
  return `- ${oneLine(attachment.filename ?? "without a name")} (${attachment.mimeType}, ${size} ${size === 1 ? "byte" : "bytes"})`
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

const written = (email: Email, body: Body): Reading => {
  const { isMarkdown, warnings } = body
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
    attachments.length === 0 ? "" : ["Attachments:", "", ...attachments.map(attachmentOf)].join("\n"),
    (end) => [{ kind: "list", start: 0, end }]
  )
  return {
    markdown: writer.markdown,
    blocks: writer.blocks,
    metadata: {
      ...(subject !== "" && { title: subject }),
      ...(from !== undefined && { from: addressesOf([from]) }),
      ...(date !== undefined && { date }),
      ...(messageId !== undefined && { messageId }),
      ...(attachments.length > 0 && { attachments: attachments.map(({ filename }) => oneLine(filename ?? "")) })
    },
    warnings
  }
}

/** A message that cannot be taken apart is read as it is written. */
const asText = (bytes: Uint8Array): Effect.Effect<Reading> =>
  Effect.map(decode(bytes), (decoded) => ({
    ...plain(decoded?.text ?? ""),
    warnings: ["it is no message that can be taken apart, and was read as plain text"]
  }))

const read = (bytes: Uint8Array): Effect.Effect<Reading> =>
  Effect.tryPromise(() => PostalMime.parse(bytes)).pipe(
    Effect.flatMap((email) => Effect.map(bodyOf(email), (body) => written(email, body))),
    Effect.catchAll(() => asText(bytes))
  )

export const mail: Format = { extensions: ["eml"], mimeType: "message/rfc822", ofBytes: read }
