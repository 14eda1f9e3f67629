/**
 * The members of an answer that are written from a tree of HTML, for documents that are no web pages.
 *
 * Source: interface document, "Parse response body".
 */
import type { Root } from "hast"
import type { TreeMember, TreeOptions } from "../jobs.ts"
import * as Cleaning from "./Cleaning.ts"
import * as HtmlWriter from "./HtmlWriter.ts"
import * as MainContent from "./MainContent.ts"
import * as PageReferences from "./PageReferences.ts"
import * as Tree from "./Tree.ts"

export interface Members {
  readonly html?: string
  readonly rawHtml?: string
  readonly links?: ReadonlyArray<string>
  readonly images?: ReadonlyArray<string>
}

/**
 * The members that the options name. `rawHtml` is the whole tree; the others are of its chosen part, cleaned. Throws a `Refusal` for a
 * tag of the options that is no selector.
 */
export const of = (tree: Root, options: TreeOptions): Members => {
  const { page, dropped } = MainContent.choose({ root: tree, elements: Tree.elements(tree) }, options)
  const content = Cleaning.clean(page, { base: undefined, dropped, withoutData: options.removeBase64Images })
  return written(options.members, content, () => HtmlWriter.write(tree))
}

/** Members of cleaned content. `raw` gives the text before that. */
export const written = (names: ReadonlyArray<TreeMember>, content: Root, raw: () => string): Members => {
  const members: Readonly<Record<TreeMember, () => string | ReadonlyArray<string>>> = {
    html: () => HtmlWriter.write(content),
    rawHtml: raw,
    links: () => PageReferences.links(content),
    images: () => PageReferences.images(content)
  }
  return Object.fromEntries(names.map((name) => [name, members[name]()]))
}
