import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Effect } from "effect"
import { program } from "../../src/cli/program.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href

export interface Result {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line from source in a folder, as a user would, and waits for its end. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Result> => {
  const { child, ended } = start(cwd, args, env)
  child.stdin.end()
  return ended
}

/** Runs the command line in this process, in its working directory: for what ends before any work. */
export const runHere = async (
  args: ReadonlyArray<string>,
  terminal: { readonly isTTY?: true } = {}
): Promise<Result> => {
  let stdout = ""
  let stderr = ""
  const output = (take: (text: string) => void) => ({
    ...terminal,
    write: (text: string, done?: () => void) => {
      take(text)
      done?.()
    }
  })
  const streams = {
    stdout: output((text) => {
      stdout += text
    }),
    stderr: output((text) => {
      stderr += text
    })
  }
  const status = await Effect.runPromise(program(args, streams))
  return { status, stdout, stderr }
}

/** Starts it and lets the caller talk to it. */
export const start = (cwd: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, ["--import", tsx, "--conditions=docsluice:source", main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env }
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (part: Buffer) => {
    stdout += part.toString()
  })
  child.stderr.on("data", (part: Buffer) => {
    stderr += part.toString()
  })
  const ended = new Promise<Result>((resolve) => {
    child.on("close", (status) => resolve({ status, stdout, stderr }))
  })
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}
