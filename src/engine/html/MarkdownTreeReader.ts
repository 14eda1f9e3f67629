/** Markdown as a tree of HTML. */
import type { Root } from "hast"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import * as PageTree from "./PageTree.ts"

/** Addresses are checked when the tree is cleaned, tags of Markdown's own HTML too. */
const settings = {
  allowDangerousHtml: true,
  allowDangerousProtocol: true,
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()]
}

/** The tree of a page with the text of a Markdown document. */
export const read = (markdown: string): Root => PageTree.of(micromark(markdown, settings))
