/** Documents that try to run a program, in each tab of the page, in pages of chunks and in the report of a run. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { type Visit, visiting } from "../fixtures/chromium.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { forPage, type Payload, payloads } from "./payloads.ts"
import { Stand, type Tests } from "./stand.ts"
import { drop, tabs } from "./visitor.ts"

declare global {
  interface Window {
    /** Parts that a document must not be able to make, whether or not something has stopped them since. */
    readonly made: () => ReadonlyArray<string>
  }
}

/** Gives each page and frame its `made`. */
const install = (): void => {
  const elements = new Set(
    "script iframe frame object embed base meta link style template portal applet noscript".split(" ")
  )
  const addresses = new Set(
    "href src action formaction srcdoc data poster background xlink:href srcset ping".split(" ")
  )
  const made = () => {
    const found: Array<string> = []
    if ("__ran" in window) found.push("a program ran")
    for (const element of document.querySelectorAll("body :not(body > noscript)")) {
      const name = element.localName
      if (elements.has(name)) found.push(`<${name}>`)
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith("on")) found.push(`<${name} ${attribute}>`)
        if (attribute === "style" && value.includes("url(")) found.push(`<${name} style="${value}">`)
        if (!addresses.has(attribute) || value.startsWith("#") || !URL.canParse(value, location.href)) continue
        const { protocol } = new URL(value, location.href)
        const allowed = name === "a" ? ["http:", "https:", "mailto:", "file:"] : ["blob:"]
        if (!allowed.includes(protocol)) found.push(`<${name} ${attribute}="${value}">`)
      }
    }
    for (const name of ["getElementById", "querySelector", "createElement", "addEventListener"] as const) {
      if (typeof document[name] !== "function") found.push(`document.${name} is taken`)
    }
    if (!(document.body instanceof HTMLBodyElement)) found.push("the body is taken")
    if ("y" in Object.prototype) found.push("the prototype is taken")
    return found
  }
  Object.defineProperty(window, "made", { value: made })
}

/** Asserts that nothing ran and nothing was asked for up to now. */
const assertHarmless = async ({ faults, page }: Visit, where: string): Promise<void> => {
  const frames = page.frames()
  const made = await Promise.all(frames.map((frame) => frame.evaluate(() => window.made())))
  assert.deepStrictEqual([...made.flat(), ...faults], [], where)
  assert.strictEqual(frames.length, 1, `${where}: frames`)
}

const entries = (page: Page) => page.getByRole("list", { name: "Documents" }).getByRole("listitem")

/** Shows a dropped document in each tab, and its Markdown as its source too. */
const walk = async (visit: Visit, at: number, name: string): Promise<void> => {
  const { page } = visit
  await entries(page).nth(at).getByRole("button").first().click()
  // In the page itself: 200 tabs of several steps each take their time from outside.
  const made = await page.evaluate(async (titles) => {
    const found: Array<string> = []
    const look = async (where: string) => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))
      found.push(...window.made().map((part) => `${where}: ${part}`))
    }
    const press = (selector: string, text: string) => {
      const buttons = Array.from(document.querySelectorAll<HTMLElement>(selector))
      const button = buttons.find(({ textContent }) => textContent.startsWith(text))
      if (button === undefined) found.push(`no ${text}`)
      button?.click()
    }
    for (const title of titles) {
      press("[role=tab]", title)
      // oxlint-disable eslint/no-await-in-loop -- one tab after another
      await look(title)
      if (title !== "Markdown") continue
      press("button", "Source")
      await look("source of the Markdown")
      // oxlint-enable eslint/no-await-in-loop
      press("button", "Rendered")
    }
    return found
  }, tabs)
  assert.deepStrictEqual(made, [], name)
  await assertHarmless(visit, name)
}

/** Runs commands in a folder, one after another in one process. */
const ran = async (cwd: string, words: ReadonlyArray<ReadonlyArray<string>>): Promise<void> => {
  const parameters = [commandLine().commands, JSON.stringify(words)]
  await promisify(execFile)(process.execPath, parameters, { cwd, maxBuffer: 64 * 1024 * 1024 })
}

/** Payloads that differ in their text only are one document here: each command takes its time. */
const joined = (): ReadonlyArray<Payload> => {
  const texts = payloads.filter(({ name }) => /^\w+\.(?:md|txt)$/u.test(name))
  const named = payloads.filter(({ name }) => !/^\w+\.\w+$/u.test(name))
  const others = payloads.filter(({ name }) => /^(?:table\.csv|word\.docx|mutations\.html)$/u.test(name))
  const bytes = Buffer.concat(texts.flatMap((text) => [text.bytes, Buffer.from("\n\n")]))
  // A text with NUL counts as binary data and is refused.
  return [{ name: "all.md", bytes: bytes.filter((byte) => byte !== 0) }, ...others, ...named]
}

/** Pages as files that are made of the payloads: the chunks of them, and the report of a run over all. */
const pagesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const documents = join(folder, "hostile")
  mkdirSync(documents)
  const files = joined()
  for (const { bytes, name } of files) writeFileSync(join(documents, name), bytes)
  writeFileSync(join(documents, `broken<img src=x onerror=alert(1)>.pdf`), "%PDF-1.7 and nothing more")
  const pages = files.map((_, at) => join(folder, `chunks${at}.html`))
  const report = join(folder, "report.html")
  const to = `jsonl:${join(folder, "hostile.jsonl")}`
  await ran(documents, [
    ...files.map(({ name }, at) => ["chunks", `./${name}`, "--html", pages[at] ?? ""]),
    ["ingest", ".", "--to", to, "--report", report, "--progress", "none"]
  ])
  return [...pages, report]
}

const showsAll = Effect.gen(function* () {
  const { address, browser } = yield* Stand
  yield* visiting(
    browser,
    address,
    async (visit) => {
      const { page } = visit
      await drop(page, payloads.map(forPage))
      for (const [at, { name }] of payloads.entries()) {
        const state = entries(page).nth(at).getByRole("button").first()
        // The size stands where the state stood once it is parsed.
        // oxlint-disable eslint/no-await-in-loop -- one page in one browser
        await state.getByText(/^[\d.]+ k?B$/u).waitFor()
        await walk(visit, at, name)
        // oxlint-enable eslint/no-await-in-loop
      }
      await page.waitForTimeout(300)
      await assertHarmless(visit, "afterwards")
    },
    { script: install }
  )
})

const writesAll = Effect.gen(function* () {
  const { browser, folder } = yield* Stand
  const pages = yield* Effect.promise(() => pagesIn(folder))
  for (const path of pages) {
    const look = async (visit: Visit) => {
      assert.isAbove((await visit.page.locator("body").innerText()).length, 50, path)
      await assertHarmless(visit, path)
    }
    yield* visiting(browser, pathToFileURL(path).href, look, { script: install })
  }
})

export const hostileTests = (test: Tests): void => {
  const count = payloads.length
  test(`${count} hostile documents run nothing, ask for nothing and take nothing over in any tab`, () => showsAll)
  test("pages of their chunks and the report of a run over them run nothing and ask for nothing", () => writesAll)
}
