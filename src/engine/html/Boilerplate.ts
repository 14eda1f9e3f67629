import type { Element, Root, RootContent } from "hast"
/** Finds the parts of a page outside its main content: by element, by role, and by the names that sites use for them. */
import * as Tally from "../Tally.ts"
import * as Tree from "./Tree.ts"

const roles = Tree.namesIn(
  "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist directory"
)

/** Class names and ids; they match as a whole. */
const furniture = Tree.namesIn(
  `header site-header page-header main-header global-header masthead topbar top-bar
   footer site-footer page-footer main-footer global-footer colophon
   nav navbar navigation main-nav site-nav main-navigation site-navigation primary-navigation menu main-menu menu-bar
   breadcrumb breadcrumbs pagination pager skip-link skip-links skiplinks
   sidebar side-bar aside left-sidebar right-sidebar widget-area
   modal popup overlay lightbox toast
   social social-media social-links social-share social-icons share share-buttons share-bar sharing sharedaddy addtoany
   language lang-selector language-selector language-switcher
   newsletter newsletter-signup subscribe-form
   related related-posts related-articles recommended recommendations
   back-to-top scroll-to-top print-only noprint search-form searchform`
)

const advertising = Tree.namesIn(
  `ad ads advert adverts advertisement advertisements advertising adsbygoogle ad-container ad-banner ad-slot ad-unit
   ad-wrapper ad-block adbox adslot banner-ad banner-ads google-ad google-ads google-auto-placed dfp-ad leaderboard-ad
   sidebar-ad sponsored sponsored-content sponsored-links taboola outbrain
   cookie cookies cookie-banner cookie-bar cookie-consent cookie-dialog cookie-law cookie-message cookie-modal
   cookie-notice cookie-notification cookie-overlay cookie-policy-banner cookie-popup cookie-warning cookiebanner
   cookieconsent cookienotice cookie-law-info-bar cc-banner cc-window cc_banner consent consent-banner consent-dialog
   consent-modal consent-popup gdpr gdpr-banner gdpr-consent gdpr-popup privacy-banner
   cybotcookiebotdialog didomi-host iubenda-cs-banner osano-cm-window truste_overlay usercentrics-root`
)

const advertisingPrefixes = [
  "google_ads_",
  "div-gpt-ad",
  "taboola-",
  "outbrain_",
  "onetrust-",
  "qc-cmp2-",
  "sp_message_"
]

/** Elements whose content makes them more than furniture. */
export interface Holders {
  /** Elements that are, or contain, `main`, `article` or the role `main`. */
  readonly main: ReadonlySet<Element>
  /** Elements that contain the page's only `h1`; on a page without one, the only element of a class for titles. */
  readonly heading: ReadonlySet<Element>
  /** Headers and footers inside `main`, `article`, `aside`, `nav` or `section`: they are not the page's. */
  readonly sectioned: ReadonlySet<Element>
  /** Asides of text inside `main` or `article`, or of which there are several: notes of the content. */
  readonly notes: ReadonlySet<Element>
}

const titleNames = Tree.namesIn("title page-title entry-title post-title article-title headline")

const edges = new Set(["header", "footer"])

const sectioning = new Set(["article", "aside", "main", "nav", "section"])

/** True for elements that a page marks as its main content. */
export const isMain = (element: Element): boolean =>
  element.tagName === "main" || element.tagName === "article" || element.properties["role"] === "main"

/** True for an `aside`, or what has its role. */
export const isAside = (element: Element): boolean =>
  element.tagName === "aside" || element.properties["role"] === "complementary"

/** Most text of an aside that may be a note. */
const noteLength = 2000

/** Asides of one kind that are notes wherever they stand. */
const leastNotes = 3

/** Collects the asides that hold text and few links, and are not named as furniture. */
class Notes {
  private readonly inMain = new Set<Element>()
  private readonly byKind = new Map<string, Array<Element>>()

  add(aside: Element, inMain: boolean): void {
    const names = Tree.names(aside)
    if (names.some((name) => furniture.has(name)) || isNamedLike(aside)) {
      return
    }
    const { linked, text } = linkedText(aside, noteLength)
    if (text > noteLength || linked * 3 > text) {
      return
    }
    if (inMain) {
      this.inMain.add(aside)
    }
    Tally.gather(this.byKind, names.join(" "), aside)
  }

  found(): ReadonlySet<Element> {
    const many = [...this.byKind.values()].filter(({ length }) => length >= leastNotes)
    return new Set([...this.inMain, ...many.flat()])
  }
}

/** Most nodes of an aside that may be a note: asides may be nested. */
const noteNodes = 2000

/** Number of characters of an element, and of those in its links; it stops after `most`, and says more than that for too many nodes. */
const linkedText = (element: Element, most: number): { readonly text: number; readonly linked: number } => {
  let [text, linked, left] = [0, 0, noteNodes]
  const visit = (nodes: ReadonlyArray<RootContent>, inLink: boolean): void => {
    for (const node of nodes) {
      left -= 1
      text = left < 0 ? Number.POSITIVE_INFINITY : text
      if (text > most) return
      if (node.type === "text") {
        const { length } = node.value.trim()
        text += length
        linked += inLink ? length : 0
      } else if (Tree.isElement(node)) {
        visit(node.children, inLink || node.tagName === "a" || node.tagName === "button")
      }
    }
  }
  visit(element.children, false)
  return { text, linked }
}

/** Collects the holders in one pass over a page. */
export const holders = (page: Root): Holders => {
  const main = new Set<Element>()
  const headings: Array<ReadonlyArray<Element>> = []
  const titles: Array<ReadonlyArray<Element>> = []
  const sectioned = new Set<Element>()
  const notes = new Notes()
  const path: Array<Element> = []
  const visit = (nodes: ReadonlyArray<RootContent>, inSection: boolean, inMain: boolean): void => {
    for (const node of nodes) {
      if (!Tree.isElement(node)) continue
      path.push(node)
      if (isMain(node)) {
        path.forEach((ancestor) => main.add(ancestor))
      }
      if (node.tagName === "h1") {
        headings.push([...path])
      } else if (Tree.names(node).some((name) => titleNames.has(name))) {
        titles.push([...path])
      }
      if (inSection && edges.has(node.tagName)) {
        sectioned.add(node)
      }
      if (isAside(node)) {
        notes.add(node, inMain)
      }
      visit(node.children, inSection || sectioning.has(node.tagName), inMain || isMain(node))
      path.pop()
    }
  }
  visit(page.children, false, false)
  const [heading, ...more] = headings.length > 0 ? headings : titles
  return { main, heading: new Set(more.length === 0 ? heading : []), sectioned, notes: notes.found() }
}

const never = new Set(["html", "body", "main", "article", "h1"])

/** True if the element is an advertisement or asks for consent to cookies. */
export const isAdvertising = (element: Element, { main }: Holders): boolean =>
  !never.has(element.tagName) &&
  !main.has(element) &&
  (Tree.names(element).some(
    (name) => advertising.has(name) || advertisingPrefixes.some((prefix) => name.startsWith(prefix))
  ) ||
    /^advertisements?$/i.test(Tree.attribute(element, "ariaLabel") ?? ""))

/**
 * True if the element is a header, footer, navigation or aside of the page, by its tag or role alone.
 *
 * `header` and `footer` count only where HTML gives them that role: not inside an article or another section.
 */
export const isMarkedFurniture = (element: Element, { heading, main, notes, sectioned }: Holders): boolean => {
  if (never.has(element.tagName) || notes.has(element) || (main.has(element) && element.tagName !== "aside")) {
    return false
  }
  switch (element.tagName) {
    case "nav":
    case "aside":
      return true
    case "header":
      return !sectioned.has(element) && !heading.has(element)
    case "footer":
      return !sectioned.has(element)
    default:
      return roles.has(Tree.attribute(element, "role") ?? "") && !heading.has(element)
  }
}

/** Parts of a line: their names say how they look, as that of a link in a heading does. */
const inlineNames = Tree.namesIn("a b strong em i code span small abbr cite label time")

const lineFurniture = Tree.namesIn("skip-link skip-links skiplinks back-to-top scroll-to-top print-only noprint")

/** True if a class name or the id of a block is one of the names of furniture. */
export const isNamedFurniture = (element: Element, { heading, main }: Holders): boolean =>
  !never.has(element.tagName) &&
  (!inlineNames.has(element.tagName) || Tree.names(element).some((name) => lineFurniture.has(name))) &&
  !main.has(element) &&
  !heading.has(element) &&
  Tree.names(element).some((name) => furniture.has(name))

const parts =
  /(?:^|[-_])(?:nav(?:bar|igation|head(?:er)?|foot(?:er)?|path)?|menu|breadcrumbs?|crumbs?|site-?(?:header|footer)|page-?(?:header|footer)|masthead|colophon|sidebar|widget|cookies?|gdpr|consent|newsletter|subscribe|signup|related|recommended|more-stories|read-next|share|sharing|social|pag(?:er|ination)|comments|disqus|sponsored|advert\w*|toc|table-of-contents|on-this-page|edit-?section)(?:[-_]|$)/

/** Names as words with hyphens: `siteFooter` as `site-footer`. */
const hyphenated = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()

/**
 * True if a part of a class name or of the id is a word for furniture, as in `td-newsletter-box`. A weak sign: the content of such an element has
 * to agree.
 */
export const isNamedLike = (element: Pick<Element, "properties">): boolean => hasName(element, parts)

/** True if a class name or the id, as words with hyphens in lower case, matches the pattern. */
export const hasName = ({ properties }: Pick<Element, "properties">, pattern: RegExp): boolean => {
  const { className, id } = properties
  const names = [...(Array.isArray(className) ? className : []), ...(typeof id === "string" ? [id] : [])]
  return names.some((name) => pattern.test(hyphenated(name)))
}
