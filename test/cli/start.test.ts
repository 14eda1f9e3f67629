import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { names } from "../../src/cli/commands.ts"
import * as Pages from "../../src/cli/Pages.ts"
import { copiedInto, recordedIn, root } from "../fixtures/components.ts"
import { runHere } from "./run.ts"

/** Below the package, which its own modules find by name. */
const place = join(root, "dist")

/** A hook of Node's module loader that writes the address of each module to stderr. */
const tracing = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from "node:fs"
   export const load = (url, context, next) => { writeSync(2, "loaded " + url + "\\n"); return next(url, context) }`
)}`
const traced = `data:text/javascript,${encodeURIComponent(`import { register } from "node:module"; register(${JSON.stringify(tracing)})`)}`

/** Command lines that only print. */
const pages: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["-h"],
  ["--help"],
  ["--version"],
  ["--help-all"],
  ["help"],
  ["help", "serve"],
  ["ingest", "-h"],
  ["ingest", "docs", "--help"],
  ["serve", "--help-all"],
  ["serve", "--help", "--no-color"]
]

describe("the built command line", () => {
  let folder = ""
  beforeAll(() => {
    mkdirSync(place, { recursive: true })
    folder = mkdtempSync(join(place, "cli-"))
    execFileSync(process.execPath, [join(root, "scripts/bundle.mjs"), folder], { stdio: "ignore" })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Its output, and the files below the package that it loaded. */
  const run = (...words: ReadonlyArray<string>) =>
    new Promise<{ readonly stdout: string; readonly loaded: ReadonlyArray<string> }>((resolve) => {
      const options = { cwd: folder, env: { PATH: process.env["PATH"] } }
      execFile(
        process.execPath,
        ["--import", traced, join(folder, "main.js"), ...words],
        options,
        (_, stdout, stderr) => {
          const files = Array.from(stderr.matchAll(/^loaded (file:.*)$/gmu), ([, url = ""]) => fileURLToPath(url))
          resolve({ stdout, loaded: files.map((file) => relative(folder, file)) })
        }
      )
    })

  it("prints each help page and the version as the source renders them", async () => {
    const built: unknown = JSON.parse(readFileSync(join(folder, "pages.json"), "utf8"))
    assert.lengthOf(Array.isArray(built) ? built : [], 2 * names.length + 3)
    for (const words of [
      ...pages,
      ...names.flatMap((name) => [
        [name, "--help"],
        [name, "--help-all"]
      ])
    ]) {
      const rendered = await runHere(words)
      assert.strictEqual(rendered.status, 0)
      assert.strictEqual(Pages.find(words, {}, folder), rendered.stdout, words.join(" "))
    }
    for (const words of pages) assert.strictEqual((await run(...words)).stdout, (await runHere(words)).stdout)
  })

  it("lays a page out for the width of the terminal, in its colours", async () => {
    for (const columns of [40, 80]) {
      const { stdout } = await runHere(["ingest", "--help"], { isTTY: true, columns })
      assert.include(stdout, "\u001B[1m")
      assert.strictEqual(Pages.find(["ingest", "--help"], { isTTY: true, columns }, folder), stdout)
    }
  })

  it("loads no command, no engine and no package for a help page", async () => {
    for (const words of [[], ["--version"], ["ingest", "-h"], ["ingest", "docs", "--help"]]) {
      const { loaded } = await run(...words)
      assert.include(loaded, "main.js")
      assert.isAtMost(loaded.length, 5, loaded.join(" "))
      assert.isEmpty(loaded.filter((file) => file !== "main.js" && !file.startsWith("chunk-")))
    }
  })

  it("loads only what a command needs", async () => {
    const { loaded, stdout } = await run("cache", "--state", join(folder, "nowhere"), "--json")
    assert.include(stdout, '"entries":0')
    const has = (name: string) => loaded.some((file) => file.includes(name))
    assert.isTrue(has("cache-"))
    for (const other of [
      "ingest-",
      "serve-",
      "Embedded-",
      "o200k_base",
      "Jsonl-",
      "PageParser-",
      "undici/",
      "chokidar"
    ]) {
      assert.isFalse(has(other), other)
    }
  })

  it("loads for a run neither a client of HTTP nor a reader of what the run has not got", async () => {
    writeFileSync(join(folder, "notes.txt"), "A note.")
    const { loaded, stdout } = await run("ingest", "notes.txt", "--to", "jsonl:notes.jsonl")
    assert.include(stdout, "stored 1 document")
    const has = (name: string) => loaded.some((file) => file.includes(name))
    assert.isTrue(has("Jsonl-"))
    for (const other of [
      "undici/",
      "yaml/",
      "yauzl/",
      "saxes/",
      "jsonc-parser/",
      "postal-mime/",
      "parse-xml/",
      "Queue-"
    ]) {
      assert.isFalse(has(other), other)
    }
  })

  it("can load each of its files", () => {
    const entries = new Set(["main.js", "laneEntry.js", "parserEntry.js"])
    const files = readdirSync(folder).filter((file) => file.endsWith(".js") && !entries.has(file))
    assert.isTrue(files.some((file) => file.startsWith("listen-")))
    const loading = files.map((file) => `await import(${JSON.stringify(pathToFileURL(join(folder, file)).href)})`)
    execFileSync(process.execPath, ["--input-type=module", "-e", loading.join("\n")])
  })

  it("holds the packages that sbom.cdx.json names for it, each with its licence", () => {
    const held = recordedIn(folder)
    assert.sameMembers([...held], [...copiedInto("dist/src/cli")])
    assert.include(
      held.map((each) => each.slice(0, each.lastIndexOf("@"))),
      "effect"
    )
    const licences = readFileSync(join(folder, "LICENSES.txt"), "utf8")
    for (const each of held) {
      const at = each.lastIndexOf("@")
      assert.include(licences, `${each.slice(0, at)} ${each.slice(at + 1)} (`)
    }
  })

  it("holds nothing that reads foreign bytes", () => {
    const held = recordedIn(folder).join(" ")
    for (const name of ["parse5", "yauzl", "yaml", "saxes", "postal-mime", "ws", "multipasta", "undici"]) {
      assert.notMatch(held, new RegExp(`(?:^| )${name}@`, "u"))
    }
  })
})
