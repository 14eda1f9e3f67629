/** Documents that try to run a program, in each tab of the page, in pages of chunks and in the report of a run. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import type { Frame, Page } from "playwright-core"
import { type Visit, visiting } from "../fixtures/chromium.ts"
import { payloads } from "./payloads.ts"
import { Stand } from "./stand.ts"
import { drop, show, tabs } from "./visitor.ts"

/** Parts of a frame that a document must not be able to make, whether or not something has stopped them since. */
const madeIn = (frame: Frame): Promise<ReadonlyArray<string>> =>
  frame.evaluate(() => {
    const elements = new Set(
      "script iframe frame object embed base meta link style template portal applet noscript".split(" ")
    )
    const addresses = new Set(
      "href src action formaction srcdoc data poster background xlink:href srcset ping".split(" ")
    )
    const made: Array<string> = []
    if ("__ran" in window) made.push("a program ran")
    for (const element of document.querySelectorAll("body :not(body > noscript)")) {
      const name = element.localName
      if (elements.has(name)) made.push(`<${name}>`)
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith("on")) made.push(`<${name} ${attribute}>`)
        if (attribute === "style" && value.includes("url(")) made.push(`<${name} style="${value}">`)
        if (!addresses.has(attribute) || value.startsWith("#")) continue
        const { protocol } = new URL(value, location.href)
        const allowed = name === "a" ? ["http:", "https:", "mailto:", "file:"] : ["blob:"]
        if (!allowed.includes(protocol)) made.push(`<${name} ${attribute}="${value}">`)
      }
    }
    for (const name of ["getElementById", "querySelector", "createElement", "addEventListener"] as const) {
      if (typeof document[name] !== "function") made.push(`document.${name} is taken`)
    }
    if (!(document.body instanceof HTMLBodyElement) || typeof document.cookie !== "string")
      made.push("document is taken")
    if (Object.prototype.hasOwnProperty.call(Object.prototype, "y")) made.push("the prototype is taken")
    return made
  })

/** Asserts that nothing ran and nothing was asked for up to now. */
const assertHarmless = async ({ faults, page }: Visit, where: string): Promise<void> => {
  const made = (await Promise.all(page.frames().map(madeIn))).flat()
  assert.deepStrictEqual([...made, ...faults], [], where)
  assert.strictEqual(page.frames().length, 1, `${where}: frames`)
}

const entries = (page: Page) => page.getByRole("list", { name: "Documents" }).getByRole("listitem")

/** Shows a dropped document in each tab, its Markdown as its source too, and points at all that a visitor could. */
const walk = async (visit: Visit, at: number, name: string): Promise<void> => {
  const { page } = visit
  const entry = entries(page).nth(at).getByRole("button").first()
  await entry.click()
  await entry.and(page.locator("[aria-current=true]")).waitFor()
  for (const tab of tabs) {
    // oxlint-disable eslint/no-await-in-loop -- one page in one browser
    const panel = await show(page, tab)
    if (tab === "Chunks") await panel.getByRole("article").or(panel.getByText("No chunks")).first().waitFor()
    if (tab === "Markdown") {
      await assertHarmless(visit, `${name}, Markdown`)
      await panel.getByRole("button", { name: "Source" }).click()
    }
    await assertHarmless(visit, `${name}, ${tab}`)
  }
}

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const commands = fileURLToPath(new URL("../cli/commands.ts", import.meta.url))

/** Runs commands in a folder, one after another in one process. */
const ran = async (cwd: string, words: ReadonlyArray<ReadonlyArray<string>>): Promise<void> => {
  await promisify(execFile)(
    process.execPath,
    ["--import", tsx, "--conditions=docsluice:source", commands, JSON.stringify(words)],
    { cwd, maxBuffer: 64 * 1024 * 1024 }
  )
}

/** Pages as files that are made of the payloads: the chunks of each, and the report of a run over all of them. */
const pagesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const documents = join(folder, "hostile")
  mkdirSync(documents)
  for (const { bytes, name } of payloads) writeFileSync(join(documents, name), bytes)
  writeFileSync(join(documents, `broken<img src=x onerror=alert(1)>.pdf`), "%PDF-1.7 and nothing more")
  const pages = payloads.map((_, at) => join(folder, `chunks${at}.html`))
  const report = join(folder, "report.html")
  await ran(documents, [
    ...payloads.map(({ name }, at) => ["chunks", `./${name}`, "--html", pages[at] ?? ""]),
    [
      "ingest",
      ".",
      "--to",
      `jsonl:${join(folder, "hostile.jsonl")}`,
      "--types",
      "md",
      "txt",
      "--report",
      report,
      "--progress",
      "none"
    ]
  ])
  return [...pages, report]
}

export const hostileTests = (test: Vitest.MethodsNonLive<Stand>): void => {
  test.effect(
    `${payloads.length} hostile documents run nothing, ask for nothing and take nothing over in any tab`,
    () =>
      Effect.gen(function* () {
        const { address, browser } = yield* Stand
        yield* visiting(
          browser,
          address,
          async (visit) => {
            const { page } = visit
            await drop(page, payloads)
            for (const [at, { name }] of payloads.entries()) {
              const state = entries(page).nth(at).getByRole("button").first()
              // The size stands where the state stood once it is parsed.
              await state
                .getByText(/^[\d.]+ k?B$/u)
                .or(state.getByText("Unparsable"))
                .waitFor()
              if (await state.getByText("Unparsable").count()) {
                console.log("UNPARSED", name)
                continue
              }
              await walk(visit, at, name)
            }
            // oxlint-enable eslint/no-await-in-loop
            await page.waitForTimeout(300)
            await assertHarmless(visit, "afterwards")
          },
          { refusals: [422] }
        )
      }),
    60_000
  )

  test.effect(
    "pages of their chunks and the report of a run over them run nothing and ask for nothing",
    () =>
      Effect.gen(function* () {
        const { browser, folder } = yield* Stand
        const pages = yield* Effect.promise(() => pagesIn(folder))
        for (const path of pages) {
          yield* visiting(browser, pathToFileURL(path).href, async (visit) => {
            assert.isAbove((await visit.page.locator("body").innerText()).length, 50, path)
            await assertHarmless(visit, path)
          })
        }
      }),
    60_000
  )
}
