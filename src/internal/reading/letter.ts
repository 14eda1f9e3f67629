/** A mail message of any format as a document: headers, body and a list of its attachments. */
import * as Effect from "effect/Effect"
import type { TextBlock } from "../../ParsedDocument.ts"
import type { Reading } from "./contract.ts"
import { reading as plain } from "./plain.ts"

export interface Attached {
  /** As it was sent; empty without one. */
  readonly name: string
  readonly mimeType: string
  readonly content: Uint8Array
}

/** A mail message, decoded. Texts that are not there are empty. */
export interface Letter {
  readonly subject: string
  /** Names and addresses. */
  readonly from: string
  readonly to: string
  readonly cc: string
  /** ISO, or as it is written where it cannot be parsed. */
  readonly date: string
  readonly messageId: string
  /** The body; that of `html` where there is no `text`. */
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attached>
  readonly warnings: ReadonlyArray<string>
}

/** UTF-16 code units of HTML that are converted; a page of megabytes takes seconds. */
const longest = 2_000_000

export const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const attachmentOf = ({ content, mimeType, name }: Attached): string =>
  `- ${name || "without a name"} (${mimeType}, ${content.length} ${content.length === 1 ? "byte" : "bytes"})`

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

const bodyOf = ({ html, text }: Letter): Effect.Effect<Body> => {
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

/** Names and values of the headers that a reader is shown. */
const headersOf = ({ cc, date, from, to }: Letter): string =>
  Object.entries({ From: from, To: to, Cc: cc, Date: date })
    .flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${oneLine(value)}`]))
    .join("\n")

const written = (letter: Letter, body: Body): Reading => {
  const { attachments, date, from, messageId, warnings } = letter
  const { isMarkdown } = body
  const text = body.text.trimEnd()
  const writer = new Writer()
  const subject = oneLine(letter.subject)
  const names = attachments.flatMap(({ name }) => (name === "" ? [] : [name]))
  writer.add(subject === "" ? "" : `# ${subject}`, (end) => [{ kind: "heading", start: 0, end, title: subject }])
  writer.add(headersOf(letter), (end) => [{ kind: "lines", start: 0, end }])
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
      ...(from !== "" && { from }),
      ...(date !== "" && !Number.isNaN(Date.parse(date)) && { date }),
      ...(messageId !== "" && { messageId }),
      ...(attachments.length > 0 && { attachments: names })
    },
    warnings: [...warnings, ...body.warnings]
  }
}

/** The document of a message. */
export const reading = (letter: Letter): Effect.Effect<Reading> =>
  Effect.map(bodyOf(letter), (body) => written(letter, body))
