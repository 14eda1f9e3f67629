// CPU time, wall time and peak memory of a start: a help page, a small ingest, an import of `docsluice/Async`; next to `node -e 0`.
//
//   npm run bench -- start [ROUNDS = 10]
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const rounds = Number(process.argv[2] ?? 10)
const root = fileURLToPath(new URL("..", import.meta.url))
const cli = join(root, "dist/src/cli/main.js")
const asynchronous = new URL("../dist/src/Async.js", import.meta.url).href

const cases = {
  node: ["-e", "0"],
  help: [cli, "--help"],
  ingest: [cli, "ingest", "page.html"],
  import: ["--input-type=module", "-e", `await import(${JSON.stringify(asynchronous)})`]
} as const

type Case = keyof typeof cases
const names = ["node", "help", "ingest", "import"] as const satisfies ReadonlyArray<Case>

interface Figures {
  /** Milliseconds of user and system time, child processes included. */
  readonly cpu: number
  readonly wall: number
  /** Megabytes of the largest process. */
  readonly rss: number
}

const format = "%U %S %e %M"

/** GNU time counts the children that were waited for too, such as the engine's. */
const measure = (name: Case): Figures => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-start-"))
  try {
    copyFileSync(join(root, "examples/documents/network.html"), join(folder, "page.html"))
    const { stderr } = spawnSync("/usr/bin/time", ["-f", format, process.execPath, ...cases[name]], {
      cwd: folder,
      encoding: "utf8"
    })
    const [user = 0, system = 0, wall = 0, kilobytes = 0] = (stderr.trim().split("\n").at(-1) ?? "")
      .split(" ")
      .map(Number)
    return { cpu: (user + system) * 1000, wall: wall * 1000, rss: kilobytes / 1024 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2)
}

const measured = new Map<Case, Array<Figures>>(names.map((name) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const name of names) measured.get(name)?.push(measure(name))
}

const figuresOf = (name: Case): Figures => {
  const all = measured.get(name) ?? []
  return {
    cpu: median(all.map(({ cpu }) => cpu)),
    wall: median(all.map(({ wall }) => wall)),
    rss: median(all.map(({ rss }) => rss))
  }
}

const node = figuresOf("node")
const ours = { help: figuresOf("help"), ingest: figuresOf("ingest"), import: figuresOf("import") }
const over = ({ cpu }: Figures): number => Math.round((cpu / node.cpu) * 10) / 10
console.log(
  JSON.stringify({
    bench: "start",
    rounds,
    ours,
    peers: { node },
    ratio: { help: over(ours.help), ingest: over(ours.ingest), import: over(ours.import) },
    machine: `${process.arch} node ${process.version}`
  })
)
