import { spawn } from "node:child_process"
import { Effect } from "effect"
import { program } from "../../src/cli/program.ts"
import { commandLine } from "../fixtures/commandLine.ts"

export interface Result {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line in a folder, as a user would, and waits for its end. */
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
