/** Converts a web page to the requested members. Runs in a lane; a page of megabytes takes some seconds. */
import type { Root } from "hast"
import type { HtmlJob, HtmlResult, Properties } from "../jobs.ts"
import * as Language from "../Language.ts"
import * as Cleaning from "./Cleaning.ts"
import * as MainContent from "./MainContent.ts"
import * as MarkdownWriter from "./MarkdownWriter.ts"
import * as PageAddress from "./PageAddress.ts"
import * as PageMetadata from "./PageMetadata.ts"
import * as PageTree from "./PageTree.ts"
import * as SourceText from "./SourceText.ts"
import * as TagScan from "./TagScan.ts"
import * as Tree from "./Tree.ts"
import * as TreeMembers from "./TreeMembers.ts"

const isXml = (source: string, extension: HtmlJob["extension"]): boolean =>
  extension === "xhtml" || /^\s*<\?xml\s/.test(source)

/** Content and metadata. Its own function, so that the whole page can be collected before the members are written. */
const read = (source: string, job: HtmlJob): { readonly content: Root; readonly properties: Properties } => {
  const page = PageTree.of(TagScan.bound(source, isXml(source, job.extension)))
  const elements = Tree.elements(page)
  const chosen = MainContent.chooseOfPage({ root: page, elements }, job)
  const content = Cleaning.clean(chosen.page, {
    base: PageAddress.baseOf(elements),
    dropped: chosen.dropped,
    withoutData: job.removeBase64Images
  })
  return { content, properties: PageMetadata.of(elements) }
}

/** Rejects with a `Refusal` when a tag of the options is no selector, with a `RangeError` when the page is nested too deeply. */
export const parse = async (job: HtmlJob): Promise<HtmlResult> => {
  const source = SourceText.decode(job.bytes)
  const { content, properties } = read(source, job)
  const members = job.members.filter((member) => member !== "markdown")
  return {
    ...(job.members.includes("markdown") && { markdown: MarkdownWriter.write(content) }),
    ...TreeMembers.written(members, content, () => source),
    properties: Language.completed(properties, Tree.text(content))
  }
}
