/** A visitor without a mouse: all that the page offers is reached, named, seen and used by keys. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { visiting } from "../fixtures/chromium.ts"
import { documents, Stand, type Tests } from "./stand.ts"
import { picture, ready, tab, until } from "./visitor.ts"

interface Focused {
  /** Role, or the element's name. */
  readonly role: string
  /** Text or label, cut. */
  readonly name: string
  /** True when something around the element tells that it has the focus. */
  readonly seen: boolean
}

/** The element that has the focus; null for none. */
const focused = (page: Page): Promise<Focused | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null
    const label = element.getAttribute("aria-label") ?? labels?.item(0)?.textContent ?? element.textContent ?? ""
    const marks = (part: Element) => {
      const { boxShadow, outlineStyle, outlineWidth, strokeWidth } = getComputedStyle(part)
      const outlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1
      return outlined || boxShadow !== "none" || Number.parseFloat(strokeWidth) >= 3
    }
    return {
      role: element.getAttribute("role") ?? element.localName,
      name: label.trim().slice(0, 60),
      seen: [element, ...element.children].some(marks)
    }
  })

/** The stops of the Tab key, from the current one around the page and the browser to it again. */
const walk = async (page: Page): Promise<ReadonlyArray<Focused>> => {
  const stops: Array<Focused> = []
  for (let pressed = 0; pressed < 160; pressed++) {
    // oxlint-disable eslint/no-await-in-loop -- one key after another
    await page.keyboard.press("Tab")
    const stop = await focused(page)
    // oxlint-enable eslint/no-await-in-loop
    if (stop === null) continue
    if (stops.length > 3 && stop.name === stops[0]?.name && stop.role === stops[0].role) break
    stops.push(stop)
  }
  return stops
}

/** Presses Tab until the element of that name has the focus. */
const reach = async (page: Page, name: RegExp): Promise<void> => {
  for (let pressed = 0; pressed < 120; pressed++) {
    // oxlint-disable eslint/no-await-in-loop -- one key after another
    if (name.test((await focused(page))?.name ?? "")) return
    await page.keyboard.press("Tab")
    // oxlint-enable eslint/no-await-in-loop
  }
  throw new Error(`no Tab key leads to ${name}`)
}

const nameOf = async (page: Page): Promise<string> => (await focused(page))?.name ?? ""

const usesKeys = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await page.getByRole("button", { name: "Choose files" }).waitFor()
    await reach(page, /^Choose files/u)
    const chooser = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose files" }).press("Enter")
    const bytes = readFileSync(join(documents, "handbook.pdf"))
    await (await chooser).setFiles({ name: "handbook.pdf", mimeType: "application/pdf", buffer: bytes })
    await ready(page)
    await picture(page, 1).waitFor()

    const stops = await walk(page)
    const names = stops.map(({ name, role }) => `${role} ${name}`)
    for (const wanted of [
      /^button Add files/u,
      /^button handbook\.pdf/u,
      /^button Remove handbook\.pdf/u,
      /^select Chunker/u,
      /^input Max tokens/u,
      /^button Parse again/u,
      /^button text/iu,
      /^button Larger/u,
      /^region Pages of the document/u,
      /^button Block 1,/u,
      /^tab Markdown/u,
      /^button Source/u,
      /^button Copy the Markdown/u,
      /^region Markdown of the document/u
    ]) {
      assert.isTrue(
        names.some((name) => wanted.test(name)),
        `${wanted} is not among\n${names.join("\n")}`
      )
    }
    const pages = await page.locator("[data-page]").count()
    assert.isAtMost(names.filter((name) => name.startsWith("button Block ")).length, pages, "one stop for each page")
    assert.deepStrictEqual(
      stops.filter(({ name, seen }) => name === "" || !seen),
      [],
      "without a name, or without a sign of the focus"
    )

    await reach(page, /^Markdown/u)
    for (const [key, next] of [
      ["ArrowRight", /^Blocks/u],
      ["ArrowRight", /^Chunks/u],
      ["ArrowLeft", /^Blocks/u],
      ["End", /^Code/u],
      ["ArrowRight", /^Markdown/u],
      ["Home", /^Markdown/u],
      ["ArrowLeft", /^Code/u]
    ] as const) {
      // oxlint-disable eslint/no-await-in-loop -- one key after another
      await page.keyboard.press(key)
      assert.match(await nameOf(page), next, key)
      // oxlint-enable eslint/no-await-in-loop
    }
    await until(async () => (await tab(page, "Code").getAttribute("aria-selected")) === "true")

    await reach(page, /^Block 1,/u)
    await page.keyboard.press("ArrowDown")
    assert.match(await nameOf(page), /^Block 2,/u)
    await page.keyboard.press("Enter")
    const pressed = () => page.evaluate(() => document.activeElement?.getAttribute("aria-pressed") === "true")
    await until(pressed)
    await page.keyboard.press("ArrowUp")
    assert.match(await nameOf(page), /^Block 1,/u)

    await reach(page, /^Remove handbook\.pdf/u)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Choose files" }).waitFor()
    await until(async () => (await page.getByRole("status").allInnerTexts()).some((text) => text.includes("removed")))
  })
})

/** Elements of the accessibility tree that a screen reader would announce without a name. */
const nameless = async (page: Page): Promise<ReadonlyArray<string>> => {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send("Accessibility.getFullAXTree")
  await session.detach()
  const named = new Set([
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "spinbutton",
    "tab",
    "tabpanel",
    "image",
    "img",
    "region",
    "article"
  ])
  return nodes.flatMap(({ ignored, name, role }) => {
    const what = String(role?.value)
    return !ignored && named.has(what) && String(name?.value ?? "").trim() === "" ? [what] : []
  })
}

const namesAll = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await page.getByRole("button", { name: "Choose files" }).waitFor()
    assert.deepStrictEqual(await nameless(page), [], "before a document")
    const chooser = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose files" }).click()
    await (await chooser).setFiles(join(documents, "handbook.pdf"))
    await ready(page)
    await picture(page, 1).waitFor()
    for (const name of ["Markdown", "Blocks", "Chunks", "Metadata", "Answer", "Code"]) {
      // oxlint-disable eslint/no-await-in-loop -- one page in one browser
      await tab(page, name).click()
      assert.deepStrictEqual(await nameless(page), [], name)
      // oxlint-enable eslint/no-await-in-loop
    }
  })
})

export const keyboardTests = (test: Tests): void => {
  test("keys alone choose a file, go through its tabs and blocks, and remove it; the focus is always seen", () =>
    usesKeys)
  test("each control, picture and area has a name for a screen reader", () => namesAll)
}
