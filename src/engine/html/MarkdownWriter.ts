/**
 * A cleaned page as GitHub-Flavored Markdown.
 *
 * @since 0.1.0
 */
import type { Element, Root } from "hast"
import rehypeRemark from "rehype-remark"
import remarkGfm from "remark-gfm"
import remarkStringify from "remark-stringify"
import { unified } from "unified"
import * as MarkdownSource from "./MarkdownSource.ts"
import * as MarkdownTable from "./MarkdownTable.ts"
import * as Tree from "./Tree.ts"

const converter = unified()
  .use(rehypeRemark, {
    handlers: {
      table: MarkdownTable.convert,
      "markdown-source": (_: MarkdownTable.State, node: Element) => ({
        type: "html",
        value: Tree.attribute(node, "value") ?? ""
      })
    }
  })
  .freeze()

const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: "-",
    emphasis: "_",
    fences: true,
    listItemIndent: "one",
    resourceLink: true,
    rule: "-"
  })
  .freeze()

/**
 * The page's content; ends in a line feed unless it is empty.
 *
 * @since 0.1.0
 * @category transformations
 */
export const write = (page: Root): string => writer.stringify(converter.runSync(MarkdownSource.from(page)))
