/** What extracts the main text of a page: ours, and Readability and Defuddle over linkedom where these are installed in `bench/peers`. */
import * as PageParser from "../../src/engine/html/PageParser.ts"
import { call, construct, load, member } from "../peerPackage.ts"

/** Main content of a page; ours as HTML or Markdown, that of peers as HTML. */
export type Extract = (html: string) => Promise<string>

export const ours =
  (format: "html" | "markdown", onlyMainContent: boolean): Extract =>
  async (html) => {
    const result = await PageParser.parse({
      kind: "html",
      bytes: new TextEncoder().encode(html),
      extension: "html",
      members: [format],
      onlyMainContent,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: onlyMainContent
    })
    return result[format] ?? ""
  }

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** Both peers give the title apart from the content. */
const written = (result: unknown, withTitle: boolean): string =>
  `${withTitle ? `<h1>${text(member(result, "title"))}</h1>` : ""}${text(member(result, "content"))}`

export const peers = async (withTitle: boolean): Promise<Readonly<Record<string, Extract>>> => {
  const [linkedom, readability, defuddle] = await Promise.all(
    ["linkedom", "@mozilla/readability", "defuddle"].map(load)
  )
  const documentOf = (html: string): unknown =>
    call(construct(member(linkedom, "DOMParser")), "parseFromString", html, "text/html")
  const Defuddle = member(member(defuddle, "default"), "default") ?? member(defuddle, "default")
  return linkedom === undefined
    ? {}
    : {
        ...(readability !== undefined && {
          readability: async (html: string) =>
            written(call(construct(member(readability, "Readability"), documentOf(html)), "parse"), withTitle)
        }),
        ...(defuddle !== undefined && {
          defuddle: async (html: string) =>
            written(call(construct(Defuddle, documentOf(html), { url: "http://page.test/" }), "parse"), withTitle)
        })
      }
}

/** Empty where the page makes an engine fail. */
export const attempt = async (extract: Extract, html: string): Promise<string> => {
  try {
    return await extract(html)
  } catch {
    return ""
  }
}
