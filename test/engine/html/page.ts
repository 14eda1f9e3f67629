/** Web pages as the engine reads them. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as PageParser from "../../../src/engine/html/PageParser.ts"
import type { HtmlJob } from "../../../src/engine/jobs.ts"

export const parse = (content: string | Uint8Array, options: Partial<HtmlJob> = {}) =>
  Effect.promise(() =>
    PageParser.parse({
      kind: "html",
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      extension: "html",
      members: ["markdown", "html", "links", "images"],
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
      ...options
    })
  )

export const markdown = (content: string | Uint8Array, options?: Partial<HtmlJob>) =>
  Effect.map(parse(content, options), (result) => result.markdown?.trim() ?? "")

/** Compares the Markdown of each page. */
export const expectAll = (pages: ReadonlyArray<readonly [page: string, expected: string]>) =>
  Effect.forEach(
    pages,
    ([page, expected]) => Effect.map(markdown(page), (actual) => assert.strictEqual(actual, expected)),
    {
      discard: true
    }
  )
