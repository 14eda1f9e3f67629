/**
 * Finds the article of a page that is one: its title, and the element that has its text. On other pages a list of links or a note may be what a
 * reader came for.
 */
import type { Element, Root, RootContent } from "hast"
import * as Tally from "../Tally.ts"
import * as Boilerplate from "./Boilerplate.ts"
import * as Prose from "./Prose.ts"
import * as Tree from "./Tree.ts"

/** Types of schema.org. */
const articles = /^(?:\w*Article|BlogPosting|Report)$/

/** Pages with texts of several authors, one below the other: nothing there is a comment. */
const threads = Tree.namesIn("DiscussionForumPosting QAPage")

const types = /"@type"\s*:\s*\[?\s*"([A-Za-z]+)"/g

/** Most characters of a script with structured data that are read. */
const scriptLength = 50_000

const commentNames =
  /^comment$|(?:^|[-_])(?:comments|comments?[-_]?(?:list|section|area|wrap(?:per)?|container|block|box|form|thread)|respond|disqus(?:[-_]thread)?)$/

const pages = Tree.namesIn("html body main")

/** True for a place for comments. An id alone may be made of a heading: there has to be a form. */
const isCommentArea = (element: Element): boolean => {
  const { className, id } = element.properties
  if (pages.has(element.tagName)) return false
  if (id === "disqus_thread" || Boilerplate.hasName({ properties: { className } }, commentNames)) return true
  return Boilerplate.hasName({ properties: { id } }, commentNames) && Tree.findNear(element, "form") !== undefined
}

/** Ids of the one place for comments below an article, as blogs have it. */
const commentIds = Tree.namesIn("comments respond disqus_thread")

const article: ReadonlyArray<string> = ["Article"]

/** Types that an element states of the page, or of itself. */
const typesOf = (element: Element): ReadonlyArray<string> => {
  const { id, itemType, type } = element.properties
  if (element.tagName === "meta") {
    const name = Tree.attribute(element, "property") ?? Tree.attribute(element, "name")
    const isStated = name === "og:type" && Tree.attribute(element, "content")?.trim().toLowerCase() === "article"
    return isStated || name === "article:published_time" ? article : []
  }
  if (element.tagName === "script") {
    return type === "application/ld+json"
      ? Array.from(Tree.text(element).slice(0, scriptLength).matchAll(types), ([, own = ""]) => own)
      : []
  }
  if (typeof id === "string" && commentIds.has(id) && isCommentArea(element)) return article
  return itemType === undefined ? [] : String(itemType).split("/").slice(-1)
}

/** True if a page has one `article` and one `h1`, which is in it. */
const hasOneArticle = (elements: ReadonlyArray<Element>): boolean => {
  const [own, ...more] = elements.filter(({ tagName }) => tagName === "article")
  const [title, ...titles] = elements.filter(({ tagName }) => tagName === "h1")
  return own !== undefined && title !== undefined && more.length + titles.length === 0 && Tree.find(own, "h1") === title
}

/** True if a page is one article: it says so by Open Graph or schema.org, has a place for comments, or one `article` with its title. Not a thread of a forum. */
export const isPage = (elements: ReadonlyArray<Element>): boolean => {
  const stated = elements.flatMap(typesOf)
  return (
    !stated.some((type) => threads.has(type)) && (stated.some((type) => articles.test(type)) || hasOneArticle(elements))
  )
}

/** True if a page says when it was published, as news and posts do and manuals do not. */
const isDated = (elements: ReadonlyArray<Element>): boolean =>
  elements.some(
    (element) =>
      element.tagName === "time" ||
      element.properties["itemProp"]?.toString() === "datePublished" ||
      Tree.attribute(element, "property") === "article:published_time" ||
      (element.tagName === "script" &&
        element.properties["type"] === "application/ld+json" &&
        Tree.text(element).slice(0, scriptLength).includes('"datePublished"'))
  )

/** What a page says of itself. */
interface Stated {
  readonly titles: ReadonlyArray<string>
  readonly description: string
  readonly isDated: boolean
}

/** Words in lower case with a space between them. */
export const words = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Most characters of a title or description that are compared. */
const statedLength = 1000

const metaWords = (elements: ReadonlyArray<Element>, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  elements
    .filter(
      ({ properties, tagName }) =>
        tagName === "meta" && names.includes(String(properties["property"] ?? properties["name"]))
    )
    .map((meta) => words((Tree.attribute(meta, "content") ?? "").slice(0, statedLength)))

const statedIn = (elements: ReadonlyArray<Element>): Stated => {
  const title = elements.find(({ tagName }) => tagName === "title")
  return {
    titles: [
      ...metaWords(elements, "og:title"),
      ...(title === undefined ? [] : [words(Tree.text(title).slice(0, statedLength))])
    ],
    description: metaWords(elements, "description", "og:description").join(" | "),
    isDated: isDated(elements)
  }
}

type Path = ReadonlyArray<Element>

const titleNames = Tree.namesIn("h1 h2 h3 h4")

interface Heading {
  readonly path: Path
  readonly element: Element
}

const headingsOf = (tree: Root, dropped: ReadonlySet<Element>): ReadonlyArray<Heading> => {
  const found: Array<Heading> = []
  const path: Array<Element> = []
  const visit = (nodes: ReadonlyArray<RootContent>): void => {
    for (const node of nodes) {
      if (!Tree.isElement(node) || dropped.has(node)) continue
      path.push(node)
      if (titleNames.has(node.tagName)) found.push({ path: [...path], element: node })
      else visit(node.children)
      path.pop()
    }
  }
  visit(tree.children)
  return found
}

/** Blocks that count as lines of the element around them. */
export const lines = Tree.namesIn("p pre blockquote h1 h2 h3 h4 h5 h6")

const headings = ["h2", "h3", "h4", "h5", "h6"]

/** True for a heading that is a link, other than one to itself. */
const leadsAway = (heading: Element | undefined, page: Prose.Page): boolean => {
  const measure = heading === undefined ? undefined : page.of.get(heading)
  if (heading === undefined || measure === undefined || measure.linked < measure.text) return false
  const address = Tree.find(heading, "a")?.properties["href"]
  return typeof address === "string" && !address.startsWith("#")
}

const kindOf = (node: Element): string => `${node.tagName}.${Tree.attribute(node, "className") ?? ""}`

/** Siblings of one kind with such a heading that are teasers of other pages. */
const leastTeasers = 3

/** Siblings of which each has a text below a heading that leads to another page. */
const teasersIn = (nodes: ReadonlyArray<RootContent>, page: Prose.Page): ReadonlySet<Element> => {
  const found = nodes.filter((node): node is Element => {
    const measure = Tree.isElement(node) ? page.of.get(node) : undefined
    if (!Tree.isElement(node) || measure === undefined || measure.headings === 0 || measure.linked === 0) return false
    return headings.some((name) => leadsAway(Tree.findNear(node, name), page))
  })
  const kinds = Tally.of(found.map(kindOf))
  return new Set(found.filter((node) => (kinds.get(kindOf(node)) ?? 0) >= leastTeasers))
}

/** Share of the weight of a block that counts for the block around it. */
const decay = 0.6

/** Weighs blocks by their running text, of which what is deeper counts less: the article is the heaviest. */
class Scale {
  readonly weights = new Map<Element, number>()
  /** Paths to the heaviest block, and to the heaviest one that is marked as an article's body. */
  heaviest: Path = []
  marked: Path = []
  private readonly path: Array<Element> = []
  private readonly page: Prose.Page
  private readonly skipped: (element: Element) => boolean

  constructor(page: Prose.Page, skipped: (element: Element) => boolean) {
    this.page = page
    this.skipped = skipped
  }

  of(path: Path): number {
    const element = path.at(-1)
    return element === undefined ? 0 : (this.weights.get(element) ?? 0)
  }

  /** Weight and running text of nodes together. */
  weigh(nodes: ReadonlyArray<RootContent>): { readonly weight: number; readonly prose: number } {
    let [weight, prose] = [0, 0]
    const teasers = teasersIn(nodes, this.page)
    for (const node of nodes) {
      const own = Tree.isElement(node) ? this.page.of.get(node) : undefined
      if (!Tree.isElement(node) || own?.prose === 0) continue
      if (teasers.has(node) || this.skipped(node)) {
        prose += own?.prose ?? 0
        continue
      }
      if (own !== undefined && lines.has(node.tagName)) {
        weight += own.prose
        prose += own.prose
        continue
      }
      this.path.push(node)
      const inner = this.weigh(node.children)
      const outer = own === undefined ? inner.weight : own.prose - inner.prose + inner.weight
      if (own !== undefined) this.note(node, outer)
      this.path.pop()
      weight += own === undefined ? outer : outer * decay
      prose += own?.prose ?? inner.prose
    }
    return { weight, prose }
  }

  private note(node: Element, weight: number): void {
    this.weights.set(node, weight)
    if (weight > this.of(this.heaviest)) this.heaviest = [...this.path]
    if (node.properties["itemProp"]?.toString() === "articleBody" && weight > this.of(this.marked)) {
      this.marked = [...this.path]
    }
  }
}

/** Fewest characters of running text of an article. */
const leastBody = 100

/** Share of the weight of the body that makes an element behind it a part of the article. */
const partShare = 0.25

const besideNames =
  /(?:^|[-_])(?:by-?lines?|dateline|time-?stamp|(?:post|entry|article|story|news|minor)-?(?:meta|infos?|details|date|time|authors?|tags?|footer)|authors?|about-author|bio|tags?|tag-?list|cat-links|categories|category-(?:list|links)|topics|keywords|promos?|teasers?|recirc\w*|outbrain|taboola|trending|popular|most-(?:read|popular)|latest|recommend\w*|also-like|read-(?:more|next)|see-more|more-(?:from|on|news|articles|stories)|disclaimer|disclosure|ratings?|votes?|print|login|subscri\w*|paywall|prev(?:ious)?|next|post-nav|app-?download|follow|notice|privacy)(?:[-_]|$)|^hidden$/

/** Parts of tables and lists, and code: their names say what they hold. */
const cells = Tree.namesIn("tbody tr td th dt dd pre code")

/** Elements whose id is often made of a heading. */
const titled = Tree.namesIn("section h1 h2 h3 h4 h5 h6")

/** Most words of an id that is a name, not made of a heading. */
const idWords = 3

/** True if names say that an element goes with an article and is no part of its text. */
export const isBeside = (element: Element): boolean => {
  const { className, id } = element.properties
  if (cells.has(element.tagName)) return false
  const isName = !titled.has(element.tagName) && typeof id === "string" && id.split(/[-_]/).length <= idWords
  const names = { properties: { className, ...(isName && { id }) } }
  return Boilerplate.isNamedLike(names) || Boilerplate.hasName(names, besideNames)
}

const titleOf = (page: Prose.Page, headings: ReadonlyArray<Heading>, stated: ReadonlyArray<string>, end: number) => {
  const before = headings.filter(({ element }) => (page.of.get(element)?.start ?? 0) < end)
  const first = before.filter(({ element }) => element.tagName === "h1")
  const isStated = ({ element }: Heading): boolean => {
    const own = words(Tree.text(element))
    return own !== "" && stated.some((title) => title.includes(own) && own.length * 2 >= title.length)
  }
  return first.find(isStated) ?? before.find(isStated) ?? first[0]
}

/** The innermost element that has title and body, and all that weighs as much as parts of the body do. */
const holderOf = (body: Path, title: Heading | undefined, scale: Scale): Element | undefined => {
  const least = scale.of(body) * partShare
  const isPart = (node: RootContent): boolean =>
    Tree.isElement(node) &&
    (scale.weights.get(node) ?? 0) >= least &&
    !isBeside(node) &&
    Tree.findNear(node, "h1") === undefined
  const parts = body.findIndex((around, at) => {
    const next = body[at + 1]
    return next !== undefined && around.children.slice(around.children.indexOf(next) + 1).some(isPart)
  })
  const common = body.findLastIndex((around, at) => around === title?.path[at])
  const tight = title === undefined ? body.findLastIndex(Boilerplate.isMain) : common
  return body[parts === -1 ? tight : Math.min(parts, tight)]
}

/** An article: its body is the element that has most of its text. */
export interface Article {
  readonly page: Prose.Page
  readonly body: Element
  readonly measure: Prose.Measure
  readonly title: Element | undefined
  /** The body, the title and all elements around them. */
  readonly path: ReadonlySet<Element>
  /** The innermost element that has the title and all of the text; undefined where no element is known to have all. */
  readonly holder: Element | undefined
  readonly stated: Stated
  readonly isComments: (element: Element) => boolean
}

/** The article of a page without the `dropped` elements; undefined where there is little text. */
export const of = (
  tree: Root,
  elements: ReadonlyArray<Element>,
  dropped: ReadonlySet<Element>
): Article | undefined => {
  const page = Prose.measure(tree, dropped)
  const headings = headingsOf(tree, dropped)
  const around = new Set(headings.filter(({ element }) => element.tagName === "h1").flatMap(({ path }) => path))
  const isComments = (element: Element): boolean => !around.has(element) && isCommentArea(element)
  const scale = new Scale(page, (element) => dropped.has(element) || isComments(element))
  scale.weigh(tree.children)
  const path = scale.of(scale.marked) * 2 > scale.of(scale.heaviest) ? scale.marked : scale.heaviest
  const body = path.at(-1)
  const measure = body === undefined ? undefined : page.of.get(body)
  if (body === undefined || measure === undefined || measure.prose < leastBody) return undefined
  const stated = statedIn(elements)
  const title = titleOf(page, headings, stated.titles, measure.end)
  return {
    page,
    body,
    measure,
    title: title?.element,
    path: new Set([...path, ...(title?.path ?? [])]),
    holder: holderOf(path, title, scale),
    stated,
    isComments
  }
}
