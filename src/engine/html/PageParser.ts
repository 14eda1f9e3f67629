/** Converts a web page to the requested members. Runs in a lane; a page of megabytes takes some seconds. */
import type { Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import * as Parse5 from "parse5"
import type { HtmlJob, HtmlResult, Properties } from "../jobs.ts"
import * as Language from "../Language.ts"
import * as Cleaning from "./Cleaning.ts"
import * as HtmlWriter from "./HtmlWriter.ts"
import * as MainContent from "./MainContent.ts"
import * as MarkdownWriter from "./MarkdownWriter.ts"
import * as PageAddress from "./PageAddress.ts"
import * as PageMetadata from "./PageMetadata.ts"
import * as PageReferences from "./PageReferences.ts"
import * as SourceText from "./SourceText.ts"
import * as TagScan from "./TagScan.ts"
import * as Tree from "./Tree.ts"

const isRoot = (node: ReturnType<typeof fromParse5>): node is Root => node.type === "root"

/** Parses without the positions of the nodes in the source: recording them takes longer than parsing. */
const treeOf = (source: string): Root => {
  const page = fromParse5(Parse5.parse(source, { scriptingEnabled: false }))
  return isRoot(page) ? page : { type: "root", children: [] }
}

const isXml = (source: string, extension: HtmlJob["extension"]): boolean =>
  extension === "xhtml" || /^\s*<\?xml\s/.test(source)

/** Content and metadata. Its own function, so that the whole page can be collected before the members are written. */
const read = (source: string, job: HtmlJob): { readonly content: Root; readonly properties: Properties } => {
  const page = treeOf(TagScan.bound(source, isXml(source, job.extension)))
  const elements = Tree.elements(page)
  const chosen = MainContent.chooseOfPage(page, elements, job)
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
  const members = {
    markdown: () => MarkdownWriter.write(content),
    html: () => HtmlWriter.write(content),
    rawHtml: () => source,
    links: () => PageReferences.links(content),
    images: () => PageReferences.images(content)
  } as const
  return {
    ...Object.fromEntries(job.members.map((member) => [member, members[member]()])),
    properties: Language.completed(properties, Tree.text(content))
  }
}
