/** `.md`, `.markdown` and `.mdx`: Markdown with front matter. */
import type { TextBlock } from "../../ParsedDocument.ts"
import { headingText } from "../chunking/scan/headingText.ts"
import type { Leaf } from "../chunking/scan/Leaf.ts"
import { scan } from "../chunking/scan/scan.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { frontMatter, type FrontMatter } from "./frontMatter.ts"

/** Text in which the first heading is looked for. */
const reach = 20_000

/** The first heading of depth 1, where nothing but white space, images and HTML stands before it. */
export const titleOf = (text: string, start: number): string | undefined => {
  const end = Math.min(text.length, start + reach)
  const heading = scan(text, start, end).find(({ kind, level }) => level === 0 && kind === "heading")
  const title = heading?.depth === 1 ? headingText(text.slice(heading.textStart, heading.textEnd)) : ""
  return title === "" ? undefined : title
}

const withTitle = (text: string, front: FrontMatter | null): Reading["metadata"] => {
  const title = front?.metadata["title"] === undefined ? titleOf(text, front?.end ?? 0) : undefined
  return title === undefined ? front?.metadata : { title, ...front?.metadata }
}

const omitted = ({ end }: FrontMatter): TextBlock => ({ kind: "omitted", start: 0, end })

export const markdown: FormatReader = {
  ofText: (text) => {
    const front = frontMatter(text)
    const metadata = withTitle(text, front)
    if (front === null) return { markdown: text, metadata }
    const body: TextBlock = { kind: "markdown", start: front.end, end: text.length }
    const blocks = front.end === text.length ? [omitted(front)] : [omitted(front), body]
    return { markdown: text, blocks, metadata, warnings: front.warnings }
  }
}

/** Imports and exports of MDX: paragraphs for Markdown. Prose may begin with the same words. */
const statement =
  /^(?:import\s*(?:["'{*]|[\w$]+\s*(?:,|from\b))|export\s+(?:default\b|const\b|let\b|var\b|function\b|async\b|class\b|\{|\*\s*from))/u

const isStatement = (text: string, { kind, level, start }: Leaf): boolean =>
  kind === "paragraph" && level === 0 && statement.test(text.slice(start, start + 200))

export const mdx: FormatReader = {
  ofText: (text) => {
    const front = frontMatter(text)
    const start = front?.end ?? 0
    const blocks: Array<TextBlock> = front === null ? [] : [omitted(front)]
    let at = start
    for (const leaf of scan(text, start, text.length)) {
      if (!isStatement(text, leaf)) continue
      if (leaf.start > at) blocks.push({ kind: "markdown", start: at, end: leaf.start })
      blocks.push({ kind: "code", start: leaf.start, end: leaf.end })
      at = leaf.end
    }
    if (at < text.length) blocks.push({ kind: "markdown", start: at, end: text.length })
    return { markdown: text, blocks, metadata: withTitle(text, front), warnings: front?.warnings }
  }
}
