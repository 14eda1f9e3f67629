/**
 * Runs over a repository of many small files by the command line: the first, an unchanged one, and one at a commit that changes a
 * thousandth of them, next to the same files in a folder and to git alone, which lists them and writes them all.
 *
 *     npm run bench -- git [--files 20000]
 */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const command = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url))
const { values } = parseArgs({ options: { files: { type: "string", default: "20000" } } })
const count = Number(values.files)
const work = mkdtempSync(join(tmpdir(), "docsluice-bench-"))

/** Counts the blobs that are read: `git` of the path notes what is asked of `cat-file`. */
const asked = join(work, "asked")
const programs = join(work, "bin")
mkdirSync(programs)
writeFileSync(
  join(programs, "git"),
  `#!/bin/sh\nfor word; do [ "$word" = cat-file ] && exec sh -c 'tee -a ${asked} | exec /usr/bin/git "$@"' git "$@"; done\nexec /usr/bin/git "$@"\n`
)
chmodSync(join(programs, "git"), 0o755)
const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` }

const done = (
  program: string,
  parameters: ReadonlyArray<string>,
  input?: string
): { seconds: number; output: string } => {
  const begun = performance.now()
  const { output, status, stdout } = spawnSync(program, [...parameters], { cwd: work, env, input, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(String(output))
  return { seconds: Math.round((performance.now() - begun) / 100) / 10, output: String(stdout) }
}

const file = (at: number, weeks: number): string => {
  const text = `# Gauge ${at}\n\nIt is cleaned every ${weeks} weeks, after each storm too.\n`
  return `M 100644 inline folder-${Math.floor(at / 100)}/gauge-${at}.md\ndata ${text.length}\n${text}\n`
}

const commit = (from: string, files: ReadonlyArray<string>): void =>
  void done(
    "git",
    ["-C", "manual.git", "fast-import", "--quiet"],
    `commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 0\n${from}${files.join("")}`
  )

const ingest = (root: string) => {
  rmSync(asked, { force: true })
  writeFileSync(asked, "")
  const state = root.startsWith("git:") ? "git" : "folder"
  const targets = ["--to", `jsonl:${state}.jsonl`, "--state", state, "--mode", "sync", "--json", "--quiet"]
  const { output, seconds } = done(process.execPath, [command, "ingest", root, ...targets])
  const { stored, unchanged }: { stored: number; unchanged: number } = JSON.parse(output)
  const reads = readFileSync(asked, "utf8").trim().split("\n").filter(Boolean)
  return { seconds, stored, unchanged, reads: reads.length, blobs: new Set(reads).size }
}

try {
  done("git", ["init", "--quiet", "--bare", "--initial-branch=main", "manual.git"])
  commit(
    "",
    Array.from({ length: count }, (_, at) => file(at, 2))
  )
  const first = ingest("git:manual.git@main")
  const unchanged = ingest("git:manual.git@main")
  const alone = done("git", ["-C", "manual.git", "ls-tree", "-r", "-l", "main"]).seconds
  const copied = done("git", ["clone", "--quiet", "manual.git", "manual"]).seconds
  const folder = { first: ingest("manual"), unchanged: ingest("manual") }
  const changes = Array.from({ length: count / 1000 }, (_, at) => file(at * 1000, 3))
  commit("from refs/heads/main^0\n", changes)
  const changed = ingest("git:manual.git@main")
  const report = {
    bench: "git",
    files: count,
    first,
    unchanged,
    changed,
    folder,
    alone: { "git ls-tree": alone, "git clone": copied },
    ratio: Math.round((first.seconds / folder.first.seconds) * 100) / 100,
    ok: first.blobs === count && unchanged.blobs === 0 && changed.blobs === changes.length,
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  }
  console.log(JSON.stringify(report, null, 2))
  process.exitCode = report.ok ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
