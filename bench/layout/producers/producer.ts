/** Programs that make PDFs of documents. */
import { spawnSync } from "node:child_process"
import type { Document } from "../model.ts"

export interface Producer {
  readonly name: string
  /** True if its PDFs have a structure tree. */
  readonly tagged: boolean
  /** The program that must be installed. */
  readonly program: string
  /** Tests whether it can show what the document needs. */
  readonly renders: (document: Document) => boolean
  /** Writes a PDF at each path. Documents that the program fails on get none. */
  readonly render: (jobs: ReadonlyArray<Job>, scratch: string) => Promise<void>
}

export interface Job {
  readonly document: Document
  readonly pdf: string
}

export const isInstalled = (program: string): boolean => spawnSync("which", [program], { stdio: "ignore" }).status === 0

/** Runs a program at low priority; its output is what it said when it failed, else undefined. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {}
): string | undefined => {
  const { status, stderr, stdout } = spawnSync("nice", ["-n", "10", program, ...args], {
    ...options,
    env: { ...process.env, ...options.env },
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 1 << 28
  })
  return status === 0 ? undefined : `${stdout}\n${stderr}`.trim()
}
