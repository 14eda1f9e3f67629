/** Splits paragraphs that a page separates by empty lines. */
import type { Nodes, Paragraph, PhrasingContent, RootContent } from "mdast"

const isBlank = (node: PhrasingContent): boolean => node.type === "text" && node.value.trim() === ""

/** Splits the content at two or more consecutive line breaks; white space between them is ignored. */
const parts = (content: ReadonlyArray<PhrasingContent>): ReadonlyArray<Array<PhrasingContent>> => {
  const found: Array<Array<PhrasingContent>> = [[]]
  let breaks: Array<PhrasingContent> = []
  for (const node of content) {
    if (node.type === "break" || (breaks.length > 0 && isBlank(node))) {
      breaks.push(node)
      continue
    }
    const parted = breaks.filter(({ type }) => type === "break").length > 1
    if (parted) {
      found.push([node])
    } else {
      found.at(-1)?.push(...breaks, node)
    }
    breaks = []
  }
  return found
    .map((part) => trimmed(part, (node) => node.type === "break" || isBlank(node)))
    .filter((part) => part.length > 0)
}

/** Content without the empty nodes at its start and end. */
export const trimmed = (
  content: ReadonlyArray<PhrasingContent>,
  isEmpty: (node: PhrasingContent) => boolean
): Array<PhrasingContent> => {
  const first = content.findIndex((node) => !isEmpty(node))
  return first < 0 ? [] : content.slice(first, content.findLastIndex((node) => !isEmpty(node)) + 1)
}

const hasBreak = (paragraph: Paragraph): boolean => paragraph.children.some(({ type }) => type === "break")

const paragraphs = (paragraph: Paragraph): ReadonlyArray<Paragraph> =>
  hasBreak(paragraph) ? parts(paragraph.children).map((children) => ({ type: "paragraph", children })) : [paragraph]

const isParagraph = (node: RootContent): node is Paragraph => node.type === "paragraph"

const splice = <Child extends RootContent>(children: Array<Child | Paragraph>): Array<Child | Paragraph> => {
  children.forEach(split)
  return children.some((child) => isParagraph(child) && hasBreak(child))
    ? children.flatMap((child): ReadonlyArray<Child | Paragraph> => (isParagraph(child) ? paragraphs(child) : [child]))
    : children
}

/** Makes each part between empty lines a separate paragraph, in the whole subtree; changes the tree in place. */
export const split = (node: Nodes): void => {
  if (node.type === "root") {
    node.children = splice(node.children)
  } else if (node.type === "blockquote" || node.type === "listItem" || node.type === "footnoteDefinition") {
    node.children = splice(node.children)
  } else if (node.type === "list") {
    node.children.forEach(split)
  }
}
