/** Writes a cleaned page as GitHub-Flavored Markdown. */
import type { Element, Root } from "hast"
import type { State } from "hast-util-to-mdast"
import type { Html, Image } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { type Options, toMarkdown } from "mdast-util-to-markdown"
import * as BreakParagraphs from "./BreakParagraphs.ts"
import * as MarkdownSource from "./MarkdownSource.ts"
import * as MarkdownSyntax from "./MarkdownSyntax.ts"
import * as MarkdownTable from "./MarkdownTable.ts"
import * as MarkdownTree from "./MarkdownTree.ts"
import * as Tree from "./Tree.ts"

const image = (state: State, node: Element): Html | Image => {
  const source = Tree.attribute(node, MarkdownSource.sourceProperty)
  return source === undefined
    ? {
        type: "image",
        url: state.resolve(Tree.attribute(node, "src")),
        title: Tree.attribute(node, "title") ?? null,
        alt: Tree.attribute(node, "alt") ?? ""
      }
    : { type: "html", value: source }
}

const handlers = { img: image, table: MarkdownTable.convert }

const settings: Options = {
  bullet: "-",
  emphasis: "_",
  extensions: [gfmToMarkdown()],
  fences: true,
  handlers: MarkdownSyntax.handlers,
  listItemIndent: "one",
  resourceLink: true,
  rule: "-"
}

/** The page's content; ends in a line feed unless it is empty. */
export const write = (page: Root): string => {
  const markdown = MarkdownTree.from(MarkdownSource.from(page), handlers)
  BreakParagraphs.split(markdown)
  return toMarkdown(markdown, settings)
}
