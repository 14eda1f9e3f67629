/**
 * CPU time, wall time and peak memory of a start, from the start of the process to its end: a help page, the first ingest of one file, an
 * ingest in which nothing changed, an import of `docsluice/Async`, `Async.open` of a libSQL store with its first search, and `look FILE` up
 * to the first picture of a page; next to `node -e 0`.
 *
 *     npm run bench -- start [ROUNDS = 10] [DIST]
 *
 * DIST is the folder `dist` of another build, which takes turns with this one.
 */
import { spawn, spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { placedPdf } from "../test/fixtures/placedPdf.ts"

const rounds = Number(process.argv[2] ?? 10)
const other = process.argv[3]
const root = fileURLToPath(new URL("..", import.meta.url))
const builds = {
  ours: join(root, "dist"),
  ...(other === undefined ? {} : { before: resolve(other) })
}

/** Ten pages of text. */
const pdf = placedPdf(
  Array.from({ length: 10 }, (_, page) => ({
    lines: Array.from({ length: 40 }, (_line, line) => ({
      text: `Page ${page + 1}, line ${line + 1}: one of many lines of equal length.`,
      x: 72,
      y: 72 + line * 14 + Math.floor(line / 4) * 8,
      size: 8
    }))
  }))
)

interface Figures {
  /** Milliseconds of user and system time, child processes included. */
  readonly cpu: number
  readonly wall: number
  /** Megabytes of the largest process. */
  readonly rss: number
}

const time = "/usr/bin/time"

const format = ["-f", "%U %S %e %M"]

/** GNU time counts the children that were waited for too, such as the engine's. */
const figuresIn = (stderr: string): Figures => {
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = (stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number)
  return { cpu: (user + system) * 1000, wall: wall * 1000, rss: kilobytes / 1024 }
}

const run = (folder: string, args: ReadonlyArray<string>): Figures =>
  figuresIn(spawnSync(time, [...format, process.execPath, ...args], { cwd: folder, encoding: "utf8" }).stderr)

const ok = async (response: Promise<Response>): Promise<Response> => {
  const answer = await response
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Parses the document as the page does, and gets the picture of its first page. */
const firstPicture = async (address: string): Promise<void> => {
  const settings: { readonly documents: ReadonlyArray<{ readonly id: string }> } = JSON.parse(
    await (await ok(fetch(`${address}_look/settings`))).text()
  )
  const document = `${address}_look/documents/${settings.documents[0]?.id}`
  const options = { parsers: [{ type: "pdf", pages: true, blocks: true }] }
  const headers = { "content-type": "application/json" }
  await (await ok(fetch(`${document}/parse`, { method: "POST", headers, body: JSON.stringify({ options }) }))).text()
  await (await ok(fetch(`${document}/pages/1?width=1000`))).arrayBuffer()
}

/** Wall time is that until the picture; CPU time includes the end of the server. */
const look = (folder: string, cli: string): Promise<Figures> =>
  new Promise((settle, reject) => {
    const begun = performance.now()
    const args = [...format, process.execPath, cli, "look", "page.pdf", "--port", "0", "--json"]
    const child = spawn(time, args, { cwd: folder, detached: true })
    let [stdout, stderr, wall] = ["", "", Number.NaN]
    child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()))
    child.stdout.on("data", (piece: Buffer) => {
      stdout += piece.toString()
      if (!stdout.includes("\n")) return
      const { address }: { readonly address: string } = JSON.parse(stdout)
      firstPicture(address)
        .then(() => (wall = performance.now() - begun))
        .catch(reject)
        .finally(() => process.kill(-(child.pid ?? 0), "SIGINT"))
    })
    child.on("close", () => settle({ ...figuresIn(stderr), wall }))
  })

const script = (text: string): ReadonlyArray<string> => ["--input-type=module", "-e", text]

/** Cases in their order: `again` needs the state of `ingest`, and `open` the store of `store`, which is no case of its own. */
const cases: Readonly<Record<string, (folder: string, dist: string) => Figures | Promise<Figures>>> = {
  node: (folder) => run(folder, ["-e", "0"]),
  help: (folder, dist) => run(folder, [join(dist, "src/cli/main.js"), "--help"]),
  ingest: (folder, dist) => run(folder, [join(dist, "src/cli/main.js"), "ingest", "page.html"]),
  again: (folder, dist) => run(folder, [join(dist, "src/cli/main.js"), "ingest", "page.html"]),
  import: (folder, dist) => run(folder, script(`await import(${importOf(dist)})`)),
  open: (folder, dist) => {
    run(folder, [join(dist, "src/cli/main.js"), "ingest", "page.html", "--to", "libsql:store.db", "--state", "stored"])
    return run(
      folder,
      script(`const Async = await import(${importOf(dist)})
        const docs = await Async.open({ to: "libsql:store.db", state: "stored" })
        if ((await docs.search("network")).length === 0) throw new Error("nothing was found")
        await docs.close()`)
    )
  },
  look: (folder, dist) => look(folder, join(dist, "src/cli/main.js"))
}

const importOf = (dist: string): string => JSON.stringify(pathToFileURL(join(dist, "src/Async.js")).href)

const measure = async (dist: string): Promise<Readonly<Record<string, Figures>>> => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-start-"))
  try {
    copyFileSync(join(root, "examples/documents/network.html"), join(folder, "page.html"))
    writeFileSync(join(folder, "page.pdf"), pdf)
    const figures: Record<string, Figures> = {}
    // oxlint-disable-next-line eslint/no-await-in-loop -- one at a time, or they would measure each other
    for (const [name, run] of Object.entries(cases)) figures[name] = await run(folder, dist)
    return figures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2)
}

const measured = new Map(Object.keys(builds).map((name) => [name, new Array<Readonly<Record<string, Figures>>>()]))
for (let round = 0; round < rounds; round++) {
  for (const [name, dist] of Object.entries(builds)) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- as above
    measured.get(name)?.push(await measure(dist))
  }
}

const medians = (build: string): Readonly<Record<string, Figures>> =>
  Object.fromEntries(
    Object.keys(cases).map((name) => {
      const all = (measured.get(build) ?? []).flatMap((each) => each[name] ?? [])
      const of = (member: keyof Figures) => median(all.map((figures) => figures[member]))
      return [name, { cpu: of("cpu"), wall: of("wall"), rss: of("rss") }]
    })
  )

const { node, ...ours } = medians("ours")
const { node: _, ...before } = other === undefined ? {} : medians("before")
console.log(
  JSON.stringify({
    bench: "start",
    rounds,
    ours,
    peers: { node },
    ...(other === undefined ? {} : { before }),
    ratio: Object.fromEntries(
      Object.entries(ours).map(([name, { cpu }]) => [name, Math.round((cpu / (node?.cpu ?? Number.NaN)) * 10) / 10])
    ),
    machine: `${process.arch} node ${process.version}`
  })
)
