/** The commands, in the order of the help page. The modules of a command are loaded when it is run. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Record from "effect/Record"

export const commands = {
  ingest: () => import("./ingest.ts"),
  plan: () => import("./plan.ts"),
  worker: () => import("./worker.ts"),
  watch: () => import("./watch.ts"),
  retry: () => import("./retry.ts"),
  status: () => import("./status.ts"),
  failures: () => import("./failures.ts"),
  doctor: () => import("./doctor.ts"),
  remove: () => import("./remove.ts"),
  generations: () => import("./generations.ts"),
  switch: () => import("./switch.ts"),
  rollback: () => import("./rollback.ts"),
  drop: () => import("./drop.ts"),
  cache: () => import("./cache.ts"),
  parse: () => import("./parse.ts"),
  chunks: () => import("./chunks.ts"),
  look: () => import("./look.ts"),
  search: () => import("./search.ts"),
  eval: () => import("./eval.ts"),
  mcp: () => import("./mcp.ts"),
  serve: () => import("./serve.ts"),
  agent: () => import("./agent.ts"),
  completion: () => import("./completion.ts")
} as const

export type Name = keyof typeof commands

export const isName = (word: string): word is Name => Object.hasOwn(commands, word)

const { ingest: _, ...others } = commands

/** All names, in the order of the help page. */
export const names: NonEmptyReadonlyArray<Name> = ["ingest", ...Record.keys(others)]

/** A command's module. */
export type Loaded = Awaited<ReturnType<(typeof commands)[Name]>>
