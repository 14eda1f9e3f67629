/** Markdown as a tree of HTML. */
import type { Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import * as Parse5 from "parse5"

/** Addresses are checked when the tree is cleaned, tags of Markdown's own HTML too. */
const settings = {
  allowDangerousHtml: true,
  allowDangerousProtocol: true,
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()]
}

/** The tree of a page with the text of a Markdown document. */
export const read = (markdown: string): Root => {
  const tree = fromParse5(Parse5.parse(micromark(markdown, settings), { scriptingEnabled: false }))
  return tree.type === "root" ? tree : { type: "root", children: [] }
}
