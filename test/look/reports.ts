/** The report of a run in a browser: it fits the window whatever the names in it are. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { assert } from "vitest"
import { run } from "../cli/run.ts"
import { visiting } from "../fixtures/chromium.ts"
import { violations } from "./accessible.ts"
import { Stand, type Tests } from "./stand.ts"

/** A run over files with long names: one is stored, one is broken, one is empty. */
const written = async (folder: string): Promise<string> => {
  const long = ["a-folder-whose-name-goes-on-and-on-without-a-blank", "b".repeat(120), "and one with blanks in it"]
  const docs = join(folder, "reported")
  mkdirSync(join(docs, ...long), { recursive: true })
  writeFileSync(join(docs, ...long, `${"c".repeat(150)}.md`), "# Long names\n\nText.")
  writeFileSync(join(docs, ...long, `${"quarterly-".repeat(12)}report.pdf`), "%PDF-1.7\nand nothing more")
  writeFileSync(join(docs, ...long, "nothing.txt"), " \n")
  const report = join(folder, "long-names.html")
  const to = `fs:${join(folder, "reported-chunks")}`
  await run(folder, ["ingest", docs, "--root", docs, "--to", to, "--progress", "none", "--report", report])
  return report
}

const fits = Effect.gen(function* () {
  const { browser, folder } = yield* Stand
  const report = yield* Effect.promise(() => written(folder))
  yield* visiting(browser, pathToFileURL(report).href, async ({ page }) => {
    /** Tables that are wider than their place, and the width of the page where it is wider than the window. */
    const wide = () =>
      page.evaluate(() => [
        ...Array.from(document.querySelectorAll(".wide"))
          .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
          .map((table) => table.getAttribute("aria-label") ?? ""),
        ...(document.documentElement.scrollWidth > window.innerWidth ? ["the page"] : [])
      ])
    assert.isAbove(await page.getByRole("table").count(), 3)
    assert.deepStrictEqual(await wide(), [])
    assert.deepStrictEqual(await violations(page), [])
    for (const summary of await page.locator("summary").all()) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one page in one browser
      await summary.click()
    }
    assert.deepStrictEqual(await wide(), [], "with every command shown")
    await page.setViewportSize({ width: 390, height: 844 })
    assert.notInclude(await wide(), "the page")
  })
})

export const reportTests = (test: Tests): void => {
  test("a report with long paths fits 1,400 pixels, and a narrow window but for its tables", () => fits)
}
