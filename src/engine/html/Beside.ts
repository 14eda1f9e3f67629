/** Finds what is beside the text of an article: by place, by names, and by what it holds. */
import type { Element, Root, RootContent } from "hast"
import * as Article from "./Article.ts"
import * as Boilerplate from "./Boilerplate.ts"
import type * as Prose from "./Prose.ts"
import * as Tree from "./Tree.ts"

const captionNames = /(?:^|[-_])(?:captions?|credits?|attribution)(?:[-_]|$)|caption$/

/** Captions that the text refers to. */
const numbered = /^\s*(?:fig|tab|abb|scheme|plate|listing|chart|map|exhibit|\d+[.:)])/i

const relatedWords =
  /^(?:related|more (?:from|on|stories|news|in|about)|read (?:more|next|also|this)|see more|also read|don t miss|recommended|you (?:may|might) (?:also )?(?:like|be interested)|most (?:popular|read|viewed)|trending|popular|latest|our latest|share|elsewhere on|about the author|sponsored|advertisement|lesen sie (?:auch|mehr)|mehr zum thema|lire aussi|a lire|leia (?:mais|também)|lea también|te puede interesar|leggi anche|lees ook|читайте также|по теме)(?: |$)/

/** Most characters of a caption, and of a part of a line, that are left out. */
const shortLength = 600

const isCaption = (element: Element): boolean =>
  (element.tagName === "figcaption" || Boilerplate.hasName(element, captionNames)) &&
  element.tagName !== "caption" &&
  !numbered.test(Tree.text(element))

const hasAny = (element: Element, names: ReadonlyArray<string>): boolean =>
  names.some((name) => element.tagName === name || Tree.findNear(element, name) !== undefined)

const pictures = ["img", "picture", "video", "iframe"]

/** What structures content, other than that of a page's furniture. */
const structures = ["pre", "table", "dl"]

/** Fewest characters of a list, few of them linked, that is content without a sentence in it. */
const listLength = 100

const isStructured = (element: Element, { linked, text }: Prose.Measure): boolean =>
  hasAny(element, structures) || (text >= listLength && linked * 3 < text && hasAny(element, ["ul", "ol"]))

/** Share of the running text around the title and the body that makes the body that of an article. */
const bodyShare = 0.6

/** Greatest shares of the body's running text that one part in it, and one elsewhere, has to be left out for its name. */
const insideShare = 0.1
const outsideShare = 0.2

/** Most characters of running text of a part that is left out for its name in a short article. */
const insideLength = 200

/** Greatest share of the body's running text of what stands before the title. */
const beforeShare = 0.2

/** Most characters of a line that announces other articles, with links in it, and as a heading of links. */
const leadLength = 150
const labelLength = 40

const linkShare = 0.6

const isLinks = ({ headings, linked, text }: Prose.Measure): boolean =>
  linked > 0 && linked >= linkShare * (text - headings)

interface Place {
  readonly inHolder: boolean
  readonly inBody: boolean
}

class Judge {
  /** Elements outside of the body, and in it. */
  readonly outside: Array<Element> = []
  readonly inside: Array<Element> = []
  /** Running text of the elements in the body, other than comments. */
  lost = 0
  /** The title was visited, or there is none. */
  private isBelow: boolean
  private readonly article: Article.Article
  /** Lines at which the title begins, and the text below it. */
  private readonly begins: number
  private readonly starts: number
  /** The text is in the body. On other pages, such as of a reference, what has no sentence may be content. */
  private readonly isWhole: boolean

  constructor(article: Article.Article) {
    this.article = article
    const { holder, measure, page, title } = article
    this.isBelow = title === undefined
    const own = title === undefined ? undefined : page.of.get(title)
    this.begins = own?.start ?? measure.start
    this.starts = Math.max(measure.start, own?.end ?? 0)
    const all = (holder === undefined ? undefined : page.of.get(holder)) ?? page.whole
    this.isWhole = measure.prose >= all.prose * bodyShare
  }

  visit(nodes: ReadonlyArray<RootContent>, place: Place): void {
    const { body, holder, page, path, title } = this.article
    const elements = nodes.filter(Tree.isElement)
    let isRelated = false
    for (const [at, node] of elements.entries()) {
      const measure = page.of.get(node)
      if (node === title) {
        this.isBelow = true
      } else if (path.has(node)) {
        this.visit(node.children, {
          inHolder: place.inHolder || node === holder,
          inBody: place.inBody || node === body
        })
      } else if (!place.inHolder) {
        this.outside.push(node)
      } else if (measure === undefined || measure.text === 0) {
        this.visitLine(node, measure, place)
      } else {
        const next = elements[at + 1]
        const isLabel = isRelatedLine(node, measure, next === undefined ? undefined : page.of.get(next))
        isRelated = isLabel || (isRelated && isLinks(measure))
        if (isRelated || this.isOut(node, measure, place)) this.drop(node, measure.prose, place)
        else if (!isLine(node, measure)) this.visit(node.children, this.within(measure, place))
      }
    }
  }

  /** What remains of a part behind the body is judged by names only. */
  private within({ start }: Prose.Measure, place: Place): Place {
    return start >= this.article.measure.end ? { inHolder: true, inBody: true } : place
  }

  /** Parts of a line, and elements without text. */
  private visitLine(node: Element, measure: Prose.Measure | undefined, place: Place): void {
    const isAbove = this.isWhole && !this.isBelow && !place.inBody
    const mayGo = measure === undefined && (isAbove || Article.isBeside(node) || this.isCaption(node))
    if (mayGo && Tree.text(node).length <= shortLength && !hasAny(node, pictures)) this.drop(node, 0, place)
    else this.visit(node.children, place)
  }

  private drop(node: Element, prose: number, { inBody }: Place): void {
    if (inBody) {
      this.inside.push(node)
      this.lost += this.article.isComments(node) ? 0 : prose
    } else {
      this.outside.push(node)
    }
  }

  /** Words below photographs of news and posts; those of manuals and reports say what a drawing shows. */
  private isCaption(node: Element): boolean {
    return this.article.stated.isDated && isCaption(node)
  }

  private isOut(node: Element, measure: Prose.Measure, { inBody }: Place): boolean {
    if (this.article.isComments(node)) return true
    if (measure.hasForm && measure.text < shortLength) return true
    const { prose } = this.article.measure
    if (measure.prose <= (inBody ? Math.max(insideLength, prose * insideShare) : prose * outsideShare)) {
      if (Article.isBeside(node)) return true
      if (measure.text <= shortLength && this.isCaption(node) && !hasAny(node, pictures)) return true
    }
    return !inBody && this.isWhole && !isStructured(node, measure) && this.isAround(node, measure)
  }

  private isAround(node: Element, { end, linked, prose, start, text }: Prose.Measure): boolean {
    if (end <= this.begins) return prose <= this.article.measure.prose * beforeShare
    if (end <= this.starts) {
      if (hasAny(node, pictures)) return false
      return (prose === 0 && !titles.has(node.tagName)) || this.isDescription(node, text)
    }
    return start >= this.article.measure.end && (prose === 0 || linked * 2 > text || Boilerplate.isAside(node))
  }

  /** True for a standfirst that the page repeats as its description, which is in the metadata. */
  private isDescription(node: Element, length: number): boolean {
    return length < shortLength && this.article.stated.description.includes(Article.words(Tree.text(node)))
  }
}

const titles = Tree.namesIn("h1 h2 h3 h4")

/** True for a line of running text: its parts stay, whatever their names. */
const isLine = (node: Element, { end, prose, start }: Prose.Measure): boolean =>
  Article.lines.has(node.tagName) || (prose > 0 && end - start === 1 && !hasAny(node, pictures))

/** True for a line that announces other articles, and that leads to one or has links below it. */
const isRelatedLine = (node: Element, measure: Prose.Measure, next: Prose.Measure | undefined): boolean => {
  const { end, linked, start, text } = measure
  if (text > leadLength || end - start !== 1) return false
  const leads = linked * 2 >= text || (text <= labelLength && next !== undefined && isLinks(next))
  return leads && relatedWords.test(Article.words(Tree.text(node)))
}

/** The elements beside the article of a page, apart from the `dropped` ones; none where there is little text. */
export const of = (
  tree: Root,
  elements: ReadonlyArray<Element>,
  dropped: ReadonlySet<Element>
): ReadonlyArray<Element> => {
  const article = Article.of(tree, elements, dropped)
  if (article === undefined) return []
  const judge = new Judge(article)
  judge.visit(tree.children, { inHolder: article.holder === undefined, inBody: false })
  return judge.lost * 2 > article.measure.prose ? judge.outside : [...judge.outside, ...judge.inside]
}
