import { readFileSync } from "node:fs"
/** The page and the report of a run have no violation of a rule of axe in their main states. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { visiting, type VisitOptions } from "../fixtures/chromium.ts"
import { documents, Stand, type Tests } from "./stand.ts"
import { documentOf, drop, picture, ready, tab, tabs } from "./visitor.ts"

const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Rules that are broken, each with the element that breaks it. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Its names are those of a function, so that no other program of the page sees it.
  const found: unknown = await page.evaluate(
    `(async () => {
      const module = { exports: {} };
      ((module, exports) => { ${program} })(module, module.exports);
      const { violations } = await module.exports.run(document);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200)))
    })()`
  )
  return Array.isArray(found) ? found.map(String) : ["axe gave nothing"]
}

const looks: ReadonlyArray<readonly [name: string, options: VisitOptions]> = [
  ["light and wide", { viewport: { width: 1400, height: 900 }, colorScheme: "light" }],
  ["dark and narrow", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }]
]

const file = (name: string) => ({ name, bytes: readFileSync(join(documents, name)) })

const details = async (page: Page): Promise<void> => {
  const button = page.getByRole("button", { name: "Details", exact: true })
  if (await button.isVisible()) await button.click()
}

const showsDocuments = (name: string, options: VisitOptions) =>
  Effect.gen(function* () {
    const { address, browser } = yield* Stand
    const look = async ({ page }: { readonly page: Page }) => {
      const assertNone = async (where: string) =>
        assert.deepStrictEqual(await violations(page), [], `${name}, ${where}`)
      await page.getByRole("button", { name: "Choose files" }).waitFor()
      await assertNone("before a document")
      await drop(page, [
        file("handbook.pdf"),
        {
          name: "notes.md",
          bytes: Buffer.from("# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## More\n\n| c |\n|---|\n| 3 |\n")
        },
        { name: "broken.pdf", bytes: Buffer.from("%PDF-1.7\nand nothing more") }
      ])
      await picture(page, 1).waitFor()
      await details(page)
      await ready(page)
      for (const title of tabs) {
        // oxlint-disable eslint/no-await-in-loop -- one page in one browser
        await tab(page, title).click()
        await assertNone(title)
        // oxlint-enable eslint/no-await-in-loop
      }
      await documentOf(page, "notes.md").click()
      await page.getByRole("region", { name: "Document, as its Markdown" }).waitFor()
      await assertNone("a text")
      await documentOf(page, "broken.pdf").click()
      await details(page)
      await page.getByRole("alert").waitFor()
      await assertNone("a broken file")
    }
    yield* visiting(browser, address, look, { ...options, refusals: [400, 415, 422, 500] })
  })

const showsHits = (name: string, options: VisitOptions) =>
  Effect.gen(function* () {
    const { asking, browser } = yield* Stand
    const look = async ({ page }: { readonly page: Page }) => {
      const assertNone = async (where: string) =>
        assert.deepStrictEqual(await violations(page), [], `${name}, ${where}`)
      const field = page.getByRole("searchbox", { name: "Search the store" })
      await page.getByText(/\d+ documents ·/u).waitFor()
      await assertNone("before a question")
      await field.fill("network stations")
      await field.press("Enter")
      for (const [source, shown] of [
        ["network.html", page.getByRole("article", { name: /^Passage of/u })],
        ["handbook.pdf", page.getByRole("img", { name: /^Page \d/u }).first()]
      ] as const) {
        // oxlint-disable eslint/no-await-in-loop -- one page in one browser
        await page
          .getByRole("button", { name: new RegExp(`^Hit \\d+: ${source}`, "u") })
          .first()
          .click()
        await shown.waitFor()
        await assertNone(`a hit of ${source}`)
        // oxlint-enable eslint/no-await-in-loop
      }
      await field.fill("zzyzx qwrtplk")
      await field.press("Enter")
      await page.getByRole("heading", { name: "Nothing found" }).waitFor()
      await assertNone("no hit")
    }
    yield* visiting(browser, asking, look, options)
  })

export const accessibleTests = (test: Tests): void => {
  for (const [name, options] of looks) {
    test(`axe finds nothing in documents and their tabs, ${name}`, () => showsDocuments(name, options))
    test(`axe finds nothing in questions, hits and their absence, ${name}`, () => showsHits(name, options))
  }
}
