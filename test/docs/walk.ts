/** Walks through a page: runs its `sh` fences one after the other in an empty folder, as a reader does, and gives what each printed. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CommandLine } from "../fixtures/commandLine.ts"
import { type Fence, fences } from "./pages.ts"

/** A fence that was run. */
export interface Step {
  readonly commands: string
  /** The `text` fence right after it; undefined where the page shows no output. */
  readonly shown: string | undefined
  readonly printed: string
}

/** Stands in for what a reader has installed: the command line, and `tsx` with the programs of the page. */
const npx = (main: string, programs: ReadonlyMap<string, string>): string => `#!/bin/sh
program=$1; shift
case "$program $1" in
${Array.from(programs, ([name, file]) => `  "tsx ${name}") exec node "${file}" ;;`).join("\n")}
  docsluice\\ *) exec node "${main}" "$@" ;;
  *) echo "npx: $program is not here" >&2; exit 127 ;;
esac
`

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Name of the file that a program of the page says it is, by a first line such as `// server.ts`. */
const nameOf = ({ code }: Fence): string | undefined => /^\/\/ ([\w.-]+\.(?:m?ts|mjs))\n/u.exec(code)?.[1]

const separator = "\u0001"

/**
 * Runs the page in one shell that stops at the first command that fails. `npx tsx NAME` runs the
 * program of that name; port 8080 is replaced by a free one. Rejects with all output when the shell fails.
 */
export const walk = async (
  text: string,
  cli: CommandLine,
  env: Readonly<Record<string, string>>
): Promise<ReadonlyArray<Step>> => {
  const place = mkdtempSync(join(tmpdir(), "docsluice-guide-"))
  const folder = join(place, "rag")
  const bin = join(place, "bin")
  try {
    for (const path of [folder, bin]) mkdirSync(path)
    const all = fences(text.replaceAll("8080", String(await freePort())))
    const programs = await Promise.all(
      all.flatMap((fence) => {
        const name = fence.language === "ts" ? nameOf(fence) : undefined
        return name === undefined ? [] : [cli.program(name, fence.code).then((file) => [name, file] as const)]
      })
    )
    writeFileSync(join(bin, "npx"), npx(cli.main, new Map(programs)), { mode: 0o755 })
    const steps = all.flatMap(({ code, language }, index) => {
      if (language !== "sh") return []
      const next = all[index + 1]
      return [{ commands: code, shown: next?.language === "text" ? next.code : undefined }]
    })
    const script = ["set -euo pipefail", ...steps.map(({ commands }) => `printf '${separator}'\n${commands}`)].join(
      "\n"
    )
    const output = await run(script, folder, { ...env, PATH: `${bin}:${process.env["PATH"] ?? ""}` })
    const [, ...printed] = output.split(separator)
    return steps.map(({ commands, shown }, index) => ({ commands, shown, printed: printed[index] ?? "" }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Milliseconds that a page may take. */
const longest = 200_000

const run = (script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
      cwd,
      env: { ...process.env, ...env },
      // A group of its own, so that what the page starts ends with it.
      detached: true,
      stdio: ["ignore", "pipe", "ignore"]
    })
    const limit = setTimeout(() => endGroup(child.pid), longest)
    let output = ""
    child.stdout.on("data", (part: Buffer) => (output += part.toString()))
    child.on("error", reject)
    child.on("exit", () => {
      clearTimeout(limit)
      endGroup(child.pid)
    })
    child.on("close", (status) =>
      status === 0 ? resolve(output) : reject(new Error(`ended with ${status} after:\n${output}`))
    )
  })

/** Ends what the shell has left running; there may be nothing. */
const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGTERM")
  } catch {
    // All of it has ended.
  }
}

/** Times, dates and ids, which differ from run to run. */
const variable: ReadonlyArray<readonly [RegExp, string]> = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<time>"],
  [/\b[\da-f]{64}\b/gu, "<id>"],
  [/\b\d+(?:\.\d+)? m?s\b/gu, "<duration>"]
]

const settled = (text: string): string =>
  variable.reduce((all, [pattern, name]) => all.replaceAll(pattern, name), text.trim()).replaceAll(/ +$/gmu, "")

/** True when the output is the one shown, but for times and ids; `…` in it stands for any text, on a line of its own for any lines. */
export const agrees = (shown: string, printed: string): boolean => {
  const escaped = settled(shown).replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  const pattern = escaped.replaceAll(/^…$/gmu, String.raw`[\s\S]*?`).replaceAll("…", "[^\\n]*?")
  return new RegExp(`^${pattern}$`, "u").test(settled(printed))
}
