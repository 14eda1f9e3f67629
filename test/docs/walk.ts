/** Walks through a page: runs its `sh` and `bash` fences one after the other in a folder, as a reader does, and gives what each printed. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import type { CommandLine } from "../fixtures/commandLine.ts"
import { freePort } from "../fixtures/freePort.ts"
import { type Fence, fences } from "./pages.ts"

/** A fence that was run. */
export interface Step {
  readonly commands: string
  /** The `text` fence right after it; undefined where the page shows no output. */
  readonly shown: string | undefined
  readonly printed: string
}

/** What a walk needs besides the page. */
export interface Given {
  readonly env?: Readonly<Record<string, string>>
  /** Files of the reader's, by their paths below the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Looks at each page that a command serves, at its address; the walk fails when this rejects. */
  readonly visit?: (address: string, words: ReadonlyArray<string>) => Promise<void>
}

const double = (name: string): string => `exec node "${fileURLToPath(new URL(name, import.meta.url))}"`

/** Stand in for what a reader has installed: the command line, npm, `tsx` with the programs of the page, a browser. */
const programs = (
  main: string,
  visits: string,
  port: number,
  files: ReadonlyMap<string, string>
): Readonly<Record<string, string>> => ({
  docsluice: `case "$1 $2" in
  "serve keys") exec node "${main}" "$@" ;;
  serve\\ *|look\\ *) ${double("served.mjs")} "${main}" "${visits}" "${port}" "$@" ;;
  worker\\ *) node "${main}" "$@" & ;;
  *) exec node "${main}" "$@" ;;
esac`,
  npm: `${double("npm.mjs")} "$@"`,
  npx: `program=$1; shift
case "$program $1" in
${Array.from(files, ([name, file]) => `  "tsx ${name}") exec node "${file}" ;;`).join("\n")}
  docsluice\\ *) exec docsluice "$@" ;;
  *) echo "npx: $program is not here" >&2; exit 127 ;;
esac`,
  "xdg-open": ":"
})

/** The address that {@link Given.visit} is called through. */
const visited = async (visit: Given["visit"]) => {
  const server = createServer((request, response) => {
    const look = async () => {
      const [address = "", ...words]: ReadonlyArray<string> = JSON.parse(await text(request))
      await visit?.(address, words)
    }
    look().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    close: () => server.close().closeAllConnections()
  }
}

/** Name of the file that a program of the page says it is, by a first line such as `// server.ts`. */
const nameOf = ({ code }: Fence): string | undefined => /^\/\/ ([\w.-]+\.(?:m?ts|mjs))\n/u.exec(code)?.[1]

const separator = "\u0001"

/** A fence that is a script of its own ends itself, not the page. */
const apart = (code: string): string => (code.startsWith("#!/bin/sh\n") ? `sh -s <<'SCRIPT'\n${code}SCRIPT\n` : code)

/**
 * Runs the page in one shell that stops at the first command that fails. `npx tsx NAME` runs the program of that name; ports 8080
 * and 8787 are replaced by free ones. `look` is interrupted once its page was visited, `serve` and `worker` run until the page ends.
 * Rejects with all output when the shell fails.
 */
export const walk = async (
  page: string,
  cli: CommandLine,
  { env = {}, files = {}, visit }: Given = {}
): Promise<ReadonlyArray<Step>> => {
  const place = mkdtempSync(join(tmpdir(), "docsluice-guide-"))
  const folder = join(place, "rag")
  const bin = join(place, "bin")
  const visits = await visited(visit)
  try {
    for (const path of [folder, bin]) mkdirSync(path)
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    const port = await freePort()
    const all = fences(page.replaceAll("8080", String(await freePort())).replaceAll("8787", String(port)))
    const named = await Promise.all(
      all.flatMap((fence) => {
        const name = fence.language === "ts" ? nameOf(fence) : undefined
        return name === undefined ? [] : [cli.program(name, fence.code).then((file) => [name, file] as const)]
      })
    )
    for (const [name, script] of Object.entries(programs(cli.main, visits.url, port, new Map(named)))) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    }
    const steps = all.flatMap(({ code, language }, index) => {
      if (language !== "sh" && language !== "bash") return []
      const next = all[index + 1]
      return [{ commands: code, shown: next?.language === "text" ? next.code : undefined }]
    })
    const script = [
      "set -euo pipefail",
      ...steps.map(({ commands }) => `printf '${separator}'\n${apart(commands)}`)
    ].join("\n")
    const output = await run(script, folder, { ...env, PATH: `${bin}:${process.env["PATH"] ?? ""}` })
    const [, ...printed] = output.split(separator)
    return steps.map(({ commands, shown }, index) => ({ commands, shown, printed: printed[index] ?? "" }))
  } finally {
    visits.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Milliseconds that a page may take. */
const longest = 500_000

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
