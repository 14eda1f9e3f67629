/**
 * The page of `docsluice look` in Debian's Chromium: time from a drop to the first picture with its boxes, time of re-chunking, and memory of
 * the server while documents are looked at one after another. Next to the engine alone: the same parse and picture in one warm process.
 *
 *     npm run bench -- look [--rounds 5] [--documents 50]
 *
 * Linux, with /usr/bin/chromium.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { type Browser, chromium, type Page } from "playwright-core"
import { placedPdf } from "../test/fixtures/placedPdf.ts"
import { documentOf, drop, picture, sheet } from "../test/look/visitor.ts"
import * as ProcessTree from "./processTree.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, documents: { type: "string", default: "50" } }
})
const rounds = Number(values.rounds)
const documents = Number(values.documents)

const linesOfPage = 40

const pdf = (pages: number, name: string): Uint8Array =>
  placedPdf(
    Array.from({ length: pages }, (_, page) => ({
      lines: Array.from({ length: linesOfPage }, (_line, line) => ({
        text: `${name}, page ${page + 1}, line ${line + 1}: one of many lines of equal length.`,
        x: 72,
        // Ten paragraphs a page.
        y: 72 + line * 14 + Math.floor(line / 4) * 8,
        size: 8
      }))
    }))
  )

const median = (all: ReadonlyArray<number>): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const rounded = (figure: number): number => Math.round(figure * 100) / 100

interface Server {
  readonly address: string
  readonly child: ChildProcess
}

const serve = async (): Promise<Server> => {
  const child = spawn(process.execPath, ["dist/src/cli/main.js", "look", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ""
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(text)
      if (found !== null) resolve(`${found[0]}/`)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${String(code)}`)))
  })
  return { address, child }
}

/** Milliseconds of one parse and one picture by the engine alone. */
const engine = async (): Promise<(bytes: Uint8Array) => Promise<number>> => {
  const [{ parsePdf }, { draw }, module] = await Promise.all([
    import("../src/engine/pdf/PdfEngine.ts"),
    import("../src/engine/pdf/PagePicture.ts"),
    import("../src/engine/PdfModule.ts").then(({ load }) => load())
  ])
  return async (bytes) => {
    const begun = performance.now()
    const answer = await parsePdf(bytes, { mode: "auto", pages: true, blocks: true, pageMarkers: false }, { module })
    const { result } = await draw(bytes, { page: 1, width: 1000 }, module)
    if (answer.kind !== "success" || result.kind !== "success") throw new Error("the engine read nothing")
    return performance.now() - begun
  }
}

const drawn = async (page: Page): Promise<void> => {
  await picture(page, 1).waitFor()
  await page.waitForFunction(() => {
    const shown = document.querySelector<HTMLImageElement>('img[alt="Page 1"]')
    return shown !== null && shown.complete && shown.naturalWidth > 0
  })
  await sheet(page, 1).getByRole("button").first().waitFor()
}

const inPage = async <A>(browser: Browser, address: string, look: (page: Page) => Promise<A>): Promise<A> => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(180_000)
    await page.goto(address)
    await page.getByRole("button", { name: "Choose files" }).waitFor()
    return await look(page)
  } finally {
    await context.close()
  }
}

/** Milliseconds from the drop of a file to its first picture with boxes. */
const dropped = (browser: Browser, address: string, bytes: Uint8Array): Promise<number> =>
  inPage(browser, address, async (page) => {
    const begun = performance.now()
    await drop(page, [{ name: "measured.pdf", bytes }])
    await documentOf(page, "measured.pdf").click()
    await drawn(page)
    return performance.now() - begun
  })

/** Milliseconds of each re-chunking of a document of 100 pages, as the browser sees the call. */
const splits = (browser: Browser, address: string): Promise<ReadonlyArray<number>> =>
  inPage(browser, address, async (page) => {
    await drop(page, [{ name: "split.pdf", bytes: pdf(100, "split") }])
    await drawn(page)
    const tokens = page.getByLabel("Max tokens")
    const times: Array<number> = []
    for (const size of [300, 200, 500, 128, 800, 256, 640, 1000, 400]) {
      // oxlint-disable eslint/no-await-in-loop -- one call after another
      const answered = page.waitForResponse((response) => response.url().endsWith("/chunks"))
      await tokens.fill(String(size))
      await tokens.press("Enter")
      const response = await answered
      await response.finished()
      times.push(response.request().timing().responseEnd)
      // oxlint-enable eslint/no-await-in-loop
    }
    return times
  })

/** Resident memory in MB of the server and its children after each document. */
const memory = (browser: Browser, { address, child }: Server): Promise<ReadonlyArray<number>> =>
  inPage(browser, address, async (page) => {
    const after: Array<number> = []
    for (let at = 0; at < documents; at++) {
      const name = `document-${at}.pdf`
      const end = ProcessTree.watchMemory(child.pid ?? 0)
      // oxlint-disable eslint/no-await-in-loop -- one document after another
      await drop(page, [{ name, bytes: pdf(60, name) }])
      await documentOf(page, name).click()
      await drawn(page)
      // oxlint-enable eslint/no-await-in-loop
      after.push(Math.round(end()))
    }
    return after
  })

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] })
const server = await serve()
try {
  const alone = await engine()
  const load = loadavg()[0]
  const figures: Record<string, unknown> = {}
  for (const pages of [10, 600]) {
    const bytes = pdf(pages, "timed")
    const ours: Array<number> = []
    const bare: Array<number> = []
    // oxlint-disable eslint/no-await-in-loop -- in turns
    await alone(bytes)
    await dropped(browser, server.address, bytes)
    for (let round = 0; round < rounds; round++) {
      ours.push(await dropped(browser, server.address, bytes))
      bare.push(await alone(bytes))
    }
    // oxlint-enable eslint/no-await-in-loop
    figures[`${pages} pages`] = {
      dropToPictureMs: rounded(median(ours)),
      engineAloneMs: rounded(median(bare)),
      ratio: rounded(median(ours.map((time, at) => time / (bare[at] ?? Number.NaN))))
    }
  }
  const split = await splits(browser, server.address)
  const used = await memory(browser, server)
  const fifth = Math.max(1, Math.floor(used.length / 5))
  console.log(
    JSON.stringify(
      {
        load,
        rounds,
        ...figures,
        rechunking100PagesMs: { median: rounded(median(split)), most: rounded(Math.max(...split)) },
        memoryMb: {
          documents,
          firstFifth: median(used.slice(0, fifth)),
          lastFifth: median(used.slice(-fifth)),
          most: Math.max(...used),
          ratio: rounded(median(used.slice(-fifth)) / median(used.slice(0, fifth)))
        }
      },
      null,
      2
    )
  )
} finally {
  await browser.close()
  server.child.kill("SIGTERM")
}
