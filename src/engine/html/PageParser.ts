/**
 * Web pages to the members that were asked for; runs in a lane, which it holds for some seconds with a page of megabytes.
 *
 * @since 0.1.0
 */
import rehypeParse from "rehype-parse"
import { unified } from "unified"
import type { HtmlJob, HtmlResult } from "../jobs.ts"
import * as Cleaning from "./Cleaning.ts"
import * as HtmlWriter from "./HtmlWriter.ts"
import * as MainContent from "./MainContent.ts"
import * as MarkdownWriter from "./MarkdownWriter.ts"
import * as PageAddress from "./PageAddress.ts"
import * as PageMetadata from "./PageMetadata.ts"
import * as PageReferences from "./PageReferences.ts"
import * as SourceText from "./SourceText.ts"
import * as TagScan from "./TagScan.ts"

const parser = unified().use(rehypeParse).freeze()

const isXml = (source: string, extension: HtmlJob["extension"]): boolean =>
  extension === "xhtml" || /^\s*<\?xml\s/.test(source)

/**
 * Rejects with a `Refusal` when a tag of the options is no selector, with a `RangeError` when the page is nested too deeply.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = async (job: HtmlJob): Promise<HtmlResult> => {
  const source = SourceText.decode(job.bytes)
  const page = parser.parse(TagScan.bound(source, isXml(source, job.extension)))
  const chosen = MainContent.choose(page, job)
  const cleaned = Cleaning.clean(chosen.page, { base: PageAddress.baseOf(page), dropped: chosen.dropped })
  const content = job.removeBase64Images ? Cleaning.withoutDataImages(cleaned) : cleaned
  const members = {
    markdown: () => MarkdownWriter.write(content),
    html: () => HtmlWriter.write(content),
    rawHtml: () => source,
    links: () => PageReferences.links(content),
    images: () => PageReferences.images(content)
  } as const
  return {
    ...Object.fromEntries(job.members.map((member) => [member, members[member]()])),
    properties: PageMetadata.of(page)
  }
}
