/**
 * `node scripts/screenshots.mjs [FOLDER]` draws what a visitor sees, in Chromium without a window: the page of the server, and the report of
 * a run. It runs what is built (`npm run build`), and writes into `docs/images` unless a folder is named.
 */
import { spawn, spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { chromium } from "playwright-core"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, "docs/images"))
const main = join(root, "dist/src/cli/main.js")
const scratch = mkdtempSync(join(tmpdir(), "docsluice-screenshots-"))
const documents = join(scratch, "documents")

const run = (...words) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...words], { cwd: scratch, encoding: "utf8" })
  if (status !== 0 && status !== 1) throw new Error(`docsluice ${words.join(" ")}: ${stderr}`)
}

/** The page of a server that runs until it is ended. */
const served = (...words) =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [main, "look", "--port", "0", ...words], { cwd: scratch })
    let said = ""
    child.stdout.on("data", (part) => {
      said += part
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (address !== undefined) done({ child, address })
    })
    child.stderr.on("data", (part) => (said += part))
    child.on("close", () => failed(new Error(said)))
  })

const examples = join(root, "examples/documents")
mkdirSync(documents)
for (const name of readdirSync(examples)) copyFileSync(join(examples, name), join(documents, name))
writeFileSync(join(documents, "broken.pdf"), "%PDF-1.7\nand nothing more")
mkdirSync(folder, { recursive: true })

const wide = { width: 1200, height: 720 }
const narrow = { width: 390, height: 780 }

const choose = async (page, name) => {
  await page.locator("input[type=file]").first().setInputFiles(join(documents, name))
}

const shown = async (page, name = "handbook.pdf") => {
  await choose(page, name)
  await page.locator("[role=tab]", { hasText: /^Chunks \d/ }).waitFor({ state: "attached" })
  await page.getByRole("img", { name: "Page 1", exact: true }).waitFor()
  await page.waitForTimeout(400)
}

/** Each picture: its name, what the browser is, and the steps of the visitor. */
const pictures = [
  { name: "empty", options: { viewport: wide }, steps: async () => {} },
  {
    name: "chunks",
    options: { viewport: wide },
    steps: async (page) => {
      await shown(page)
      await page.getByRole("tab", { name: /^Chunks/ }).click()
      await page
        .getByRole("button", { name: /^Block 2,/ })
        .first()
        .hover()
    }
  },
  {
    name: "error",
    options: { viewport: wide },
    steps: async (page) => {
      await choose(page, "broken.pdf")
      await page.getByRole("alert").waitFor()
    }
  },
  {
    name: "narrow",
    options: { viewport: narrow },
    steps: async (page) => {
      await shown(page)
    }
  },
  {
    name: "dark",
    options: { viewport: wide, colorScheme: "dark" },
    steps: async (page) => {
      await shown(page)
      await page.getByRole("tab", { name: /^Chunks/ }).click()
    }
  },
  {
    name: "search",
    options: { viewport: wide },
    steps: async (page) => {
      const question = page.getByRole("searchbox", { name: "Search the store" })
      await question.fill("What happens to a value that fails a check?")
      await question.press("Enter")
      await page.getByRole("button", { name: /^Hit 1:/ }).click()
      await page
        .getByRole("img", { name: /^Page \d+$/ })
        .first()
        .waitFor()
      await page.waitForTimeout(500)
    }
  }
]

const save = async (page, name) => {
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path, animations: "disabled" })
  console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB`)
}

const servers = []
let browser
try {
  const store = "libsql:chunks.db"
  const report = join(scratch, "report.html")
  run(
    "ingest",
    ".",
    "--root",
    "documents",
    "--to",
    store,
    "--embedder",
    "hash",
    "--progress",
    "none",
    "--report",
    report
  )
  servers.push(await served(), await served("--to", store, "--root", `documents=${documents}`))
  browser = await chromium.launch({
    executablePath: process.env.DOCSLUICE_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"]
  })
  for (const { name, options, steps } of pictures) {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(servers[name === "search" ? 1 : 0].address)
    await page.getByRole("main").getByRole("button").first().waitFor()
    await steps(page)
    await save(page, name)
    await context.close()
  }
  const page = await browser.newPage({ viewport: wide })
  await page.goto(pathToFileURL(report).href)
  await save(page, "report")
} finally {
  await browser?.close()
  for (const { child } of servers) {
    child.removeAllListeners("close")
    child.kill("SIGTERM")
  }
  rmSync(scratch, { recursive: true, force: true })
}
