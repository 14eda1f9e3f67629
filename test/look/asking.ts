import { Effect } from "effect"
/** A visitor asks the store, and sees each passage on its page. */
import { assert } from "vitest"
import { visiting } from "../fixtures/chromium.ts"
import { Stand, type Tests } from "./stand.ts"
import { edges, picture, sheet, until } from "./visitor.ts"

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

export const askingTests = (test: Tests): void => {
  test("a hit of a search shows its scores, and its page with the boxes of the passage inside", () => asks)
}
