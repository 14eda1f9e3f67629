/** The site as its readers have it: built, served as files below a path, read in a browser, walked by keys. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fg from "fast-glob"
import type { Page } from "playwright-core"
import * as Chromium from "../fixtures/chromium.ts"
import { shared } from "../fixtures/shared.ts"
import * as WebServer from "../source/webServer.ts"
import { paths, root } from "./pages.ts"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

/** What the build prints. */
const built = shared(
  Effect.promise(async () => (await promisify(execFile)("npm", ["run", "site"], { cwd: root })).stdout)
)

/** Paths of the pages below the address of the site, which is not the root of its server. */
const site = shared(
  Effect.gen(function* () {
    yield* built
    const { origin, pages } = yield* WebServer.scoped
    const files = fg.sync("**", { cwd: join(root, "dist/site") })
    for (const file of files) {
      const type = types[extname(file)] ?? ""
      assert.notStrictEqual(type, "", file)
      pages.set(`/any/path/${file}`, { body: readFileSync(join(root, "dist/site", file)), type })
    }
    return { base: `${origin}/any/path/`, pages: files.filter((file) => file.endsWith(".html")) }
  })
)

const browser = shared(Chromium.browser)

/** The first page, the list of modules, the guides, and one page of each kind of the reference; all of it in a night. */
const chosen = (pages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return pages.filter((page) => {
    const [, kind = page] = /^api\/(\w+)\//u.exec(page) ?? []
    const first = !seen.has(kind)
    seen.add(kind)
    return first || process.env["DOCSLUICE_TEST_NIGHTLY"] === "1"
  })
}

/** What axe finds that assistive technology cannot use. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(readFileSync(join(root, "docs/site/node_modules/axe-core/axe.min.js"), "utf8"))
  return page.evaluate<ReadonlyArray<string>>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`
  )
}

/** Opens a page in a desktop's window, which becomes a phone's, and gives what is wrong in either. */
const faultsOf = (address: string) =>
  Effect.gen(function* () {
    return yield* Chromium.visiting(
      yield* browser,
      address,
      async ({ page }) => {
        const faults: Array<string> = []
        await page.locator("#tsd-nav-container a").first().waitFor({ state: "attached" })
        for (const width of [1280, 390]) {
          // oxlint-disable eslint/no-await-in-loop -- one window
          await page.setViewportSize({ width, height: 844 })
          const needed = await page.evaluate(() => document.documentElement.scrollWidth)
          if (needed > width) faults.push(`needs ${needed} of ${width} px`)
          faults.push(...(await violations(page)))
          // oxlint-enable eslint/no-await-in-loop
        }
        return faults.map((fault) => `${address}: ${fault}`)
      },
      { viewport: { width: 1280, height: 844 } }
    )
  })

/** Presses Tab until an element has the focus. */
const reach = async (page: Page, selector: string): Promise<void> => {
  for (let pressed = 0; pressed < 120; pressed++) {
    // oxlint-disable eslint/no-await-in-loop -- one key after another
    await page.keyboard.press("Tab")
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    // oxlint-enable eslint/no-await-in-loop
  }
  assert.fail(`Tab does not reach ${selector}`)
}

/** Opens a page that may lead to others. */
const walking = (width: number, path: string, walk: (page: Page) => Promise<void>) =>
  Effect.gen(function* () {
    const { base } = yield* site
    const running = yield* browser
    yield* Effect.acquireUseRelease(
      Effect.promise(() => running.newPage({ viewport: { width, height: 844 } })),
      (page) =>
        Effect.promise(async () => {
          await page.goto(base + path)
          await walk(page)
        }),
      (page) => Effect.promise(() => page.close())
    )
  })

describe("the site", () => {
  it.live("has every guide and no link that leads nowhere", () =>
    Effect.gen(function* () {
      assert.match(yield* built, /^\d+ guides, \d+ modules, \d{5} links, 0 dead$/mu)
      const { pages } = yield* site
      assert.sameMembers(
        pages.filter((page) => page.startsWith("guides/")),
        paths.flatMap((path) =>
          /^docs\/(?!README)[\w-]+\.md$/u.test(path) ? [`${path.replace("docs", "guides").slice(0, -2)}html`] : []
        )
      )
    })
  )
})

describe.skipIf(Chromium.missing !== null)(
  `the site in a browser${Chromium.missing === null ? "" : `: ${Chromium.missing}`}`,
  () => {
    it.live(
      "fits phones and desktops, asks other servers nothing, writes no error to the console, leaves axe nothing to find",
      () =>
        Effect.gen(function* () {
          const { base, pages } = yield* site
          const read = chosen(pages)
          assert.isAbove(read.length, 30)
          const faults = yield* Effect.forEach(read, (page) => faultsOf(base + page), { concurrency: 3 })
          assert.deepStrictEqual(faults.flat(), [])
        }),
      3_600_000
    )

    it.live("is reached by Tab: content, search, pages, contents of a page", () =>
      walking(1280, "guides/pgvector.html", async (page) => {
        await reach(page, ".skip")
        await page.keyboard.press("Enter")
        assert.isTrue(await page.evaluate(() => document.activeElement?.matches("[role=main]")))
        await reach(page, "[role=main] a")
        await reach(page, ".tsd-page-navigation a")
        await reach(page, "#tsd-nav-container a[href$='uploads.html']")
        await page.keyboard.press("Enter")
        await page.waitForURL(/uploads\.html$/u)
      })
    )

    it.live("opens its menu on a phone by Enter and closes it by Escape", () =>
      walking(390, "guides/pgvector.html", async (page) => {
        const entry = page.getByRole("link", { name: "Uploads", exact: true })
        await reach(page, "#tsd-toolbar-menu-trigger")
        await page.keyboard.press("Enter")
        await entry.waitFor()
        await page.keyboard.press("Escape")
        await entry.waitFor({ state: "hidden" })
        await page.keyboard.press("Enter")
        await entry.waitFor()
        await reach(page, "#tsd-nav-container a[href$='uploads.html']")
        await page.keyboard.press("Enter")
        await page.waitForURL(/uploads\.html$/u)
      })
    )

    it.live("finds guides, their sections, and members of modules", () =>
      walking(1280, "index.html", async (page) => {
        const find = async (words: string, name: string) => {
          await reach(page, "#tsd-search-trigger")
          await page.keyboard.press("Enter")
          await page.keyboard.type(words)
          await page.getByRole("option").first().filter({ hasText: name }).waitFor()
          await page.keyboard.press("Enter")
        }
        await find("pgvector", "pgvector")
        await page.waitForURL(/guides\/pgvector\.html$/u)
        await find("settings of the table", "Settings of the table")
        await page.waitForURL(/guides\/pgvector\.html#settings-of-the-table$/u)
        await page.locator(":target").waitFor()
        await page.reload()
        await find("BudgetSpent", "Pipeline.BudgetSpent")
        await page.waitForURL(/api\/classes\/Pipeline\.BudgetSpent\.html$/u)
        assert.strictEqual(await page.locator("h1").innerText(), "Class BudgetSpent")
      })
    )
  }
)
