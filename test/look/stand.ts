/** One browser and the servers that it visits, for all tests of the page. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Context, Effect, type Scope } from "effect"
import type { Browser } from "playwright-core"
import { run, start } from "../cli/run.ts"
import { browser } from "../fixtures/chromium.ts"
import { pageOfCommands } from "../fixtures/page.ts"
import { placedPdf } from "../fixtures/placedPdf.ts"

/** Documents that the package shows. */
export const documents = fileURLToPath(new URL("../../examples/documents", import.meta.url))

/** Texts that are read here, by their names, with words that each shows. */
export const texts: ReadonlyArray<readonly [name: string, text: string, shows: string]> = [
  ["notes.md", "# Station notes\n\nGauges are **calibrated** in May.\n", "Station notes"],
  ["gauges.json", '{\n  "gauges": [{ "name": "North", "level": 3 }]\n}\n', '"name": "North"'],
  [
    "mail.eml",
    "From: ada@example.com\r\nTo: bob@example.com\r\nSubject: Calibration\r\n\r\nThe gauges are read on Monday.\r\n",
    "read on Monday"
  ],
  [
    "study.ipynb",
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [{ cell_type: "markdown", metadata: {}, source: ["# Rainfall study\n", "Levels rose."] }]
    }),
    "Rainfall study"
  ]
]

/** Files for the service that are no samples, by their names. */
export const given: Readonly<Record<string, string | Uint8Array>> = {
  "ferries.pdf": placedPdf([{ lines: [{ text: "The ferry to Hvar leaves at noon", x: 72, y: 90 }] }]),
  "tides.html": "<h1>Tides</h1><p>High water comes twice a day.</p>"
}

/** The key of the server that wants one. */
export const key = "a-key-of-the-tests"

export interface Stand {
  readonly browser: Browser
  /** Address of a page for documents. */
  readonly address: string
  /** Address of a page whose command named {@link given}. */
  readonly given: string
  /** Address of a page that asks a store, which holds {@link documents}. */
  readonly asking: string
  /** Address of a page whose server wants {@link key}. */
  readonly keyed: string
  /** An empty folder for the tests. */
  readonly folder: string
}

/** The page of a command that serves; the server ends with the scope. */
const served = (folder: string, words: ReadonlyArray<string>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = start(folder, words)
        const address = await new Promise<string>((resolve, reject) => {
          server.child.stdout.on("data", () => {
            const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(server.stdout())
            if (found !== null) resolve(`${found[0]}/`)
          })
          void server.ended.then(({ stderr }) => reject(new Error(`no server: ${stderr}`)))
        })
        return { ...server, address }
      }),
      ({ child, ended }) =>
        Effect.promise(() => {
          child.kill("SIGTERM")
          return ended
        })
    ),
    ({ address }) => address
  )

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-look-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

export const Stand = Context.GenericTag<Stand>("docsluice/test/Stand")

export const scoped: Effect.Effect<Stand, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* temporary
  yield* Effect.promise(pageOfCommands)
  const store = `libsql:${join(folder, "chunks.db")}`
  const filled = Effect.promise(() =>
    run(folder, ["ingest", documents, "--root", documents, "--to", store, "--embedder", "hash", "--progress", "none"])
  )
  const asking = Effect.gen(function* () {
    const { status, stderr } = yield* filled
    if (status !== 0) return yield* Effect.dieMessage(`no store: ${stderr}`)
    return yield* served(folder, ["look", "--to", store, "--root", `documents=${documents}`, "--port", "0"])
  })
  const keyed = served(folder, ["serve", "--port", "0", "--api-key", key])
  const plain = served(folder, ["look", "--port", "0"])
  const files = [...Object.entries(given), ...texts.map(([name, text]) => [name, text] as const)]
  for (const [name, content] of files) writeFileSync(join(folder, name), content)
  const opened = served(folder, ["look", ...files.map(([name]) => name), "--port", "0"])
  const all = [browser, plain, asking, keyed, opened] as const
  const [running, address, asked, locked, shown] = yield* Effect.all(all, { concurrency: 5 })
  return { browser: running, address, asking: asked, keyed: locked, given: shown, folder }
})

/** Tests that visit the {@link Stand}, at the speed of the clock on the wall. */
export type Tests = (name: string, run: () => Effect.Effect<void, never, Stand>, timeout?: number) => void
