/** A visitor drops documents, reads what came of them, and sets options. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"
import { run } from "../cli/run.ts"
import { type Visit, visiting } from "../fixtures/chromium.ts"
import { placedPdf } from "../fixtures/placedPdf.ts"
import { documents, given, key, Stand, type Tests, texts } from "./stand.ts"
import { boxes, documentOf, drop, type Dropped, edges, held, looks, picture, ready, show, until } from "./visitor.ts"

const file = (name: string): Dropped => ({ name, bytes: readFileSync(join(documents, name)) })

const broken: Dropped = { name: "broken.pdf", bytes: Buffer.from("%PDF-1.7\nand nothing more") }

const region = async (page: Page, tab: string): Promise<string> =>
  (await show(page, tab)).getByRole("region").first().innerText()

const chunk = (page: Page, number: number): Locator =>
  page.getByRole("article", { name: `Chunk ${number}`, exact: true })

/** Token counts of the chunks that are rendered, and the number of all. */
const sizes = async (page: Page) => {
  const all = await page.getByRole("tab", { name: /^Chunks \d/u }).innerText()
  const tokens = await page
    .getByRole("article")
    .getByText(/^\d+ tokens? of/u)
    .allInnerTexts()
  return { count: Number(/\d+/u.exec(all)?.[0]), tokens: tokens.map((text) => Number.parseInt(text, 10)) }
}

const readsDropped = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    const names = ["handbook.pdf", "rainfall.xlsx", "network.html"]
    await drop(page, names.map(file))
    await ready(page)
    await picture(page, 1).waitFor()
    assert.isAbove(await boxes(page, 1).count(), 2)
    await until(async () => (await region(page, "Markdown")).includes("Station Handbook"))
    assert.match(await region(page, "Metadata"), /pdf/u)
    assert.match(await region(page, "Answer"), /"markdown"/u)
    assert.match(await region(page, "Code"), /docsluice chunks/u)
    await documentOf(page, "rainfall.xlsx").click()
    await ready(page)
    await (await show(page, "Markdown")).getByRole("table").first().waitFor()
    await documentOf(page, "network.html").click()
    await ready(page)
    await until(async () => (await region(page, "Markdown")).length > 200)
    await page.getByRole("button", { name: "Remove handbook.pdf" }).click()
    await until(async () => (await page.getByRole("listitem").filter({ hasText: "handbook.pdf" }).count()) === 0)
  })
})

/** Shows each of {@link texts} with its Markdown, its chunks, its metadata, and no picture; the code asks no service. */
const assertTexts = async (page: Page): Promise<void> => {
  for (const [name, , shows] of texts) {
    // oxlint-disable eslint/no-await-in-loop -- one page in one browser
    await documentOf(page, name).click()
    await ready(page)
    await until(async () =>
      (await page.getByRole("region", { name: "Document, as its Markdown" }).innerText()).includes(shows)
    )
    await show(page, "Chunks")
    assert.include(await chunk(page, 1).innerText(), shows)
    await until(async () => (await region(page, "Markdown")).includes(shows))
    assert.include(await region(page, "Metadata"), name)
    assert.match(await region(page, "Answer"), /"markdown"/u)
    const code = await region(page, "Code")
    assert.include(code, `docsluice chunks ${name}`)
    assert.notMatch(code, /curl|Embedded|parseOptions/u)
    assert.strictEqual(await page.getByRole("img", { name: /^Page/u }).count(), 0)
    // oxlint-enable eslint/no-await-in-loop
  }
}

const readsTexts = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await page.getByText(/pdf, .*md, txt, json, eml, ipynb and \d+ more types/u).waitFor()
    await drop(
      page,
      texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
    )
    await assertTexts(page)
  })
})

const showsGiven = Effect.gen(function* () {
  const { browser, given: address } = yield* Stand
  const parsed = { "ferries.pdf": "The ferry to Hvar leaves at noon", "tides.html": "High water comes twice a day." }
  assert.deepStrictEqual(Object.keys(parsed), Object.keys(given))
  yield* visiting(browser, address, async ({ page }) => {
    for (const [name, text] of Object.entries(parsed)) {
      // oxlint-disable eslint/no-await-in-loop -- one page in one browser
      await documentOf(page, name).click()
      await ready(page)
      await until(async () => (await region(page, "Markdown")).includes(text))
      await show(page, "Chunks")
      assert.include(await chunk(page, 1).innerText(), text)
      // oxlint-enable eslint/no-await-in-loop
    }
    await documentOf(page, "ferries.pdf").click()
    await picture(page, 1).waitFor()
    await assertTexts(page)
  })
})

const saysWhatFailed = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(
    browser,
    address,
    async ({ page }) => {
      await drop(page, [broken, file("stations.csv")])
      const card = page.getByRole("alert")
      await card.waitFor()
      const said = await card.innerText()
      assert.match(said, /broken\.pdf could not be parsed/u)
      assert.match(await card.locator("code").first().innerText(), /^[A-Z]\w+$/u, "the tag of the error")
      assert.match(said, /What helps: \S/u)
      await card.getByRole("button", { name: "Try again" }).click()
      await card.waitFor()
      await documentOf(page, "stations.csv").click()
      await ready(page)
    },
    { refusals: [400, 415, 422, 500] }
  )
})

/** Asserts that pointing at `pointed` makes each of `others` look different, and that it passes. */
const assertLights = async (page: Page, pointed: Locator, others: ReadonlyArray<Locator>): Promise<void> => {
  await page.mouse.move(1, 1)
  const before = await Promise.all(others.map(looks))
  await pointed.hover()
  for (const [at, other] of others.entries()) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- one page in one browser
    await until(async () => (await looks(other)) !== before[at])
  }
  await page.mouse.move(1, 1)
  for (const [at, other] of others.entries()) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- as above
    await until(async () => (await looks(other)) === before[at])
  }
}

const lightsTogether = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await drop(page, [file("handbook.pdf")])
    await ready(page)
    await picture(page, 1).waitFor()
    const first = boxes(page, 1).first()
    const panel = await show(page, "Markdown")
    await assertLights(page, first, [panel.getByRole("heading").first()])
    await assertLights(page, panel.getByRole("heading").first(), [first])
    await show(page, "Chunks")
    await assertLights(page, first, [chunk(page, 1)])
    await assertLights(page, chunk(page, 1).getByRole("heading"), [first, boxes(page, 1).nth(1)])
    const blocks = await show(page, "Blocks")
    await assertLights(page, blocks.locator("li > button").nth(1), [boxes(page, 1).nth(1)])
    assert.strictEqual(await first.getAttribute("aria-pressed"), "false")
    await first.click()
    await until(async () => (await first.getAttribute("aria-pressed")) === "true")
    await page.keyboard.press("Escape")
    await until(async () => (await first.getAttribute("aria-pressed")) === "false")
  })
})

const splitsAgain = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page, requests }) => {
    await drop(page, [file("handbook.pdf")])
    await ready(page)
    await show(page, "Chunks")
    await chunk(page, 1).waitFor()
    const before = await sizes(page)
    const parses = () => requests.filter((request) => request.endsWith("/parse")).length
    assert.strictEqual(parses(), 1)
    await page.getByLabel("Max tokens").fill("64")
    await until(async () => (await sizes(page)).count > before.count)
    await until(async () => (await sizes(page)).tokens.length > 0 && Math.max(...(await sizes(page)).tokens) <= 64)
    await page.getByLabel("Chunker").selectOption("pages")
    await page.getByLabel("Tokenizer").selectOption("chars")
    await page.getByLabel("Max tokens").fill("4000")
    await until(async () => (await sizes(page)).count <= before.count + 2)
    assert.strictEqual(parses(), 1)
    await page.getByLabel("Overlap").fill("4000")
    await page.getByText("The overlap is less than the largest chunk").waitFor()
    await page.getByLabel("Overlap").fill("0")
    await page.getByLabel("Max pages").fill("1")
    await page.getByRole("button", { name: "Parse again" }).click()
    await until(() => Promise.resolve(parses() === 2))
    await ready(page)
  })
})

const wantsKey = Effect.gen(function* () {
  const { browser, keyed } = yield* Stand
  yield* visiting(
    browser,
    keyed,
    async ({ page }) => {
      const field = page
        .getByRole("form", { name: "Key of the server" })
        .getByRole("textbox")
        .or(page.locator("input[type=password]"))
      await field.fill("another")
      await page.getByRole("button", { name: "Use" }).click()
      await drop(page, [file("handbook.pdf")])
      await page.getByText("did not accept this key").waitFor()
      await field.fill(key)
      await page.getByRole("button", { name: "Use" }).click()
      await ready(page)
      await picture(page, 1).waitFor()
      const kept = await page.evaluate(() =>
        [localStorage.length, sessionStorage.length, document.cookie, location.href].join()
      )
      assert.strictEqual(kept, `0,0,,${keyed}`)
    },
    { refusals: [401] }
  )
})

const fitsNarrow = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  yield* visiting(
    browser,
    address,
    async ({ page }) => {
      assert.isTrue(await fits(page), "before a document")
      await drop(page, [file("handbook.pdf")])
      await picture(page, 1).waitFor()
      assert.isTrue(await fits(page), "pages")
      await page.getByRole("button", { name: "Details", exact: true }).click()
      await ready(page)
      for (const name of ["Markdown", "Blocks", "Chunks", "Metadata", "Answer", "Code"]) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- one page in one browser
        const panel = await show(page, name)
        // oxlint-disable-next-line eslint/no-await-in-loop -- as above
        assert.isTrue((await panel.isVisible()) && (await fits(page)), name)
      }
      await page.getByRole("button", { name: "Pages", exact: true }).click()
      assert.isTrue(await picture(page, 1).isVisible())
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true }
  )
})

/** Lightness of the page's background and of its text, 0 to 1. */
const lightness = (page: Page) =>
  page.evaluate(() => {
    const of = (colour: string) => {
      const context = document.createElement("canvas").getContext("2d")
      if (context === null) return Number.NaN
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
      return (red + green + blue) / 765
    }
    const { backgroundColor, color } = getComputedStyle(document.body)
    return { ground: of(backgroundColor), text: of(color) }
  })

const followsTheSystem = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(
    browser,
    address,
    async ({ page }) => {
      const dark = await lightness(page)
      assert.isBelow(dark.ground, 0.25)
      assert.isAbove(dark.text, 0.75)
      await page.emulateMedia({ colorScheme: "light" })
      const light = await lightness(page)
      assert.isAbove(light.ground, 0.85)
      assert.isBelow(light.text, 0.35)
    },
    { colorScheme: "dark" }
  )
})

const standsStill = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  /** Animations that run while a parse takes its time. */
  const moving = (reducedMotion: "reduce" | "no-preference") =>
    visiting(
      browser,
      address,
      async ({ page }) => {
        const answer = await held(page, "**/parse")
        await drop(page, [file("stations.csv")])
        await page.getByRole("progressbar").waitFor()
        const running = await page.evaluate(
          () => document.getAnimations().filter(({ playState }) => playState === "running").length
        )
        answer()
        await ready(page)
        return running
      },
      { reducedMotion }
    )
  assert.strictEqual(yield* moving("reduce"), 0)
  assert.isAbove(yield* moving("no-preference"), 0)
})

const takesEarlyDrops = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    const answer = await held(page, "**/_look/settings")
    await page.reload()
    await page.locator("main[aria-busy=true]").waitFor()
    await drop(page, [file("stations.csv")])
    await drop(page, [file("handbook.pdf")])
    answer()
    await documentOf(page, "handbook.pdf").click()
    await ready(page)
    await documentOf(page, "stations.csv").click()
    await ready(page)
  })
})

const savesChunks = Effect.gen(function* () {
  const { browser, folder, given: address } = yield* Stand
  const saved = async (page: Page, how: () => Promise<void>): Promise<string> => {
    const download = page.waitForEvent("download")
    await how()
    const path = join(folder, "saved.jsonl")
    await (await download).saveAs(path)
    return readFileSync(path, "utf8")
  }
  const look = async ({ page }: Visit) => {
    for (const name of ["ferries.pdf", "notes.md"]) {
      // oxlint-disable eslint/no-await-in-loop -- one page in one browser
      await documentOf(page, name).click()
      await ready(page)
      const panel = await show(page, "Chunks")
      const { stdout } = await run(folder, ["chunks", name])
      const area = panel.getByRole("region", { name: "Chunks of the document" })
      assert.strictEqual(await saved(page, () => area.press("s")), stdout, name)
      const root = panel.getByLabel("Root of the ids")
      await root.fill("another")
      const other = await saved(page, () => root.press("Enter"))
      assert.match(other, new RegExp(`"documentId":"another/${name}"`, "u"))
      assert.notStrictEqual(other.slice(0, 40), stdout.slice(0, 40))
      await panel.getByText("Saved.").waitFor()
      // oxlint-enable eslint/no-await-in-loop
    }
  }
  yield* visiting(browser, address, look, { saves: true })
})

const showsSource = Effect.gen(function* () {
  const { browser, given: address } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await documentOf(page, "notes.md").click()
    await ready(page)
    const text = page.getByRole("region", { name: "Document, as its Markdown" })
    await text.getByRole("heading", { name: "Station notes" }).waitFor()
    await page
      .getByRole("group", { name: "Form: Document, as its Markdown" })
      .getByRole("button", { name: "Source" })
      .click()
    await until(async () => (await text.innerText()).includes("# Station notes"))
    assert.isTrue(await chunk(page, 1).isVisible(), "its chunks stand beside it")
  })
})

const showsTables = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(browser, address, async ({ page }) => {
    await drop(page, [file("handbook.pdf")])
    await ready(page)
    const panel = await show(page, "Blocks")
    await panel.getByRole("button", { name: /^Only \d+ tables?$/u }).click()
    const shown = panel.getByRole("img", { name: /^Table \d+, as page \d+ shows it$/u }).first()
    await shown.waitFor()
    const read = panel.getByRole("group", { name: /^Table \d+, as it was read$/u }).first()
    assert.isAbove(await read.getByRole("row").count(), 1)
    // The part of the page has the proportions of the table's box, and ink in it.
    const [, , width = 0, height = 0] = ((await shown.getAttribute("viewBox")) ?? "").split(" ").map(Number)
    const [left, top, right, bottom] = await edges(shown)
    assert.approximately((bottom - top) / (right - left), height / width, 0.02)
    assert.strictEqual(await panel.getByRole("button", { name: /text/u }).count(), 0)
  })
})

const tellsPages = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  const lines = Array.from({ length: 40 }, (_, at) => ({
    text: `Line ${at} of a page of many words`,
    x: 72,
    y: 60 + 16 * at
  }))
  const bytes = placedPdf(Array.from({ length: 160 }, () => ({ lines })))
  yield* visiting(browser, address, async ({ page }) => {
    await drop(page, [{ name: "long.pdf", bytes }])
    const bar = page.getByRole("progressbar", { name: "The document is being parsed" })
    await until(async () => /^\d+ of 160 pages read$/u.test((await bar.getAttribute("aria-valuetext")) ?? ""))
    assert.strictEqual(await bar.getAttribute("aria-valuemax"), "160")
    await page.getByRole("button", { name: "Cancel" }).click()
  })
})

export const readingTests = (test: Tests): void => {
  test("a PDF, a sheet and a web page are dropped, and each is shown in its tabs", () => readsDropped)
  test("Markdown, JSON, a mail and a notebook are dropped, and shown without pages", () => readsTexts)
  test("the files that the page was started with are parsed and split, or read here, and shown in their tabs", () =>
    showsGiven)
  test("files that are dropped while the page still begins are taken", () => takesEarlyDrops)
  test("a broken file is answered with its tag and a remedy, and the files after it are parsed", () => saysWhatFailed)
  test("box, Markdown and chunk light up together, whichever is pointed at, and a click keeps them lit", () =>
    lightsTogether)
  test("other sizes of chunks are shown without another parse, other options of the parse with one", () => splitsAgain)
  test("a server with a key asks for it, refuses another one, and the page keeps it nowhere", () => wantsKey)
  test("a window of 390 pixels holds the page and each tab without scrolling sideways", () => fitsNarrow)
  test("the page is dark or light as the system is", () => followsTheSystem)
  test("chunks are saved as the command line prints them, by a key too, and with the ids of another root", () =>
    savesChunks)
  test("the source of a text stands beside its chunks", () => showsSource)
  test("a table stands beside the part of the page that it was read from", () => showsTables)
  test("the pages that are read are told while a long document is parsed", () => tellsPages)
  test("nothing moves for a visitor who wants no motion", () => standsStill)
}
