import { spawn } from "node:child_process"
import { Effect } from "effect"
import { program } from "../../src/cli/program.ts"
import { commandLine } from "../fixtures/commandLine.ts"

export interface Result {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a command is given of this process's environment: the last names the build that lanes of the engine start from. */
const kept = ["PATH", "TMPDIR", "DOCSLUICE_TEST_BUILD"]

/** Runs one after another: this process has one working directory and one environment. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs the command line in a folder, as a user would, and waits for its end: in this process, whose working directory and environment
 * are those of the command until then. Nothing is to be read from its standard input, and no signal reaches it: see {@link start}.
 */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Result> => {
  const result = turn.then(async () => {
    const before = { cwd: process.cwd(), env: process.env }
    process.chdir(cwd)
    process.env = { ...Object.fromEntries(kept.map((name) => [name, before.env[name]])), ...env }
    try {
      return await runHere(args)
    } finally {
      process.chdir(before.cwd)
      process.env = before.env
    }
  })
  turn = result.catch(() => undefined)
  return result
}

/** Runs the command line in this process, in its working directory. */
export const runHere = async (
  args: ReadonlyArray<string>,
  terminal: { readonly isTTY?: true; readonly columns?: number } = {}
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
  const child = spawn(process.execPath, [commandLine().main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...env }
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
