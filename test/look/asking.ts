import { Effect } from "effect"
/** A visitor asks the store, and sees each passage on its page. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { visiting } from "../fixtures/chromium.ts"
import { Stand, type Tests } from "./stand.ts"
import { edges, held, picture, sheet, until } from "./visitor.ts"

const asks = Effect.gen(function* () {
  const { asking, browser } = yield* Stand
  yield* visiting(browser, asking, async ({ page }) => {
    const field = page.getByRole("searchbox", { name: "Search the store" })
    await field.fill("What happens to a value that fails a check?")
    await page.keyboard.press("Enter")
    const hits = page.getByRole("list", { name: "Hits, best first" }).getByRole("listitem")
    await hits.first().waitFor()
    const hit = hits.filter({ hasText: "handbook.pdf" }).first()
    await hit.getByRole("button", { name: /^Hit \d+: /u }).click()
    assert.match(await hit.innerText(), /score[\s\S]*relevance/u)
    const number = Number(
      /Page (\d+)/u.exec(
        (await page
          .getByRole("group", { name: /of the passage$/u })
          .first()
          .getAttribute("aria-label")) ?? ""
      )?.[1]
    )
    await picture(page, number).waitFor()
    const marks = sheet(page, number).locator("rect")
    assert.isAbove(await marks.count(), 0)
    const [left, top, right, bottom] = await edges(picture(page, number))
    const [x0, y0, x1, y1] = await edges(marks.first())
    assert.isTrue(x0 >= left - 1 && y0 >= top - 1 && x1 <= right + 1 && y1 <= bottom + 1 && x1 > x0 && y1 > y0)
    await field.fill("zzyzx qwrtplk")
    await page.keyboard.press("Enter")
    await until(async () => (await hits.count()) === 0)
    await page.getByRole("heading", { name: "Nothing found" }).waitFor()
  })
})

const showsPassages = Effect.gen(function* () {
  const { asking, browser } = yield* Stand
  yield* visiting(browser, asking, async ({ page }) => {
    const field = page.getByRole("searchbox", { name: "Search the store" })
    await field.fill("network stations")
    await field.press("Enter")
    await page
      .getByRole("button", { name: /^Hit \d+: network\.html/u })
      .first()
      .click()
    const passage = page.getByRole("article", { name: /^Passage of network\.html/u })
    await passage.getByRole("heading", { name: "The station network" }).waitFor()
    assert.isAbove(await passage.getByRole("row").count(), 2)
    assert.includeMembers(await passage.locator("mark").allInnerTexts(), ["station", "network"])
    assert.notInclude(await passage.innerText(), "##")
  })
})

/** Letters that are typed while the program, and then the settings, are on their way. */
const keepsLetters = Effect.gen(function* () {
  const { asking, browser } = yield* Stand
  const come = (page: Page, address: string) => held(page, `**/_look/${address}`)
  yield* visiting(browser, asking, async ({ page }) => {
    const [program, settings] = [await come(page, "app.js"), await come(page, "settings")]
    await page.reload({ waitUntil: "commit" })
    const field = page.getByRole("searchbox", { name: "Search the store" })
    await until(() => field.evaluate((box) => box === document.activeElement))
    await page.keyboard.type("network ")
    program()
    await page.locator("main[aria-busy=true]").waitFor({ state: "attached" })
    await page.keyboard.type("statons")
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one key after another
      await page.keyboard.press(key)
    }
    settings()
    await page.getByRole("button", { name: "Search", exact: true }).last().waitFor()
    await page.keyboard.type("i")
    assert.strictEqual(await field.inputValue(), "network stations")
    assert.strictEqual(await page.getByRole("searchbox").count(), 1)
    const [again, late] = [await come(page, "app.js"), await come(page, "settings")]
    again()
    await page.reload({ waitUntil: "commit" })
    await page.locator("main[aria-busy=true]").waitFor({ state: "attached" })
    await page.keyboard.type("network stations")
    await page.keyboard.press("Enter")
    late()
    await page.getByRole("list", { name: "Hits, best first" }).getByRole("listitem").first().waitFor()
  })
})

export const askingTests = (test: Tests): void => {
  test("a hit without pages shows its passage rendered, with the words of the question marked", () => showsPassages)
  test("what is typed before the page's program and its settings are there is kept, and asked for Enter", () =>
    keepsLetters)
  test("a hit of a search shows its scores, and its page with the boxes of the passage inside", () => asks)
}
