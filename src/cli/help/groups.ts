/** Groups of commands, and the flags and examples that the program's page shows. */
import { typed } from "../Flag.ts"
import { flags } from "../flags.ts"
import type { Term } from "./Page.ts"

export interface CommandGroup {
  readonly title: string
  readonly names: ReadonlyArray<string>
}

/** Commands in the order of the page; one that is missing here is listed last. */
export const commandGroups: ReadonlyArray<CommandGroup> = [
  {
    title: "Documents into stores",
    names: ["ingest", "plan", "watch", "retry", "worker", "remove", "generations", "switch", "rollback", "drop"]
  },
  { title: "What is there", names: ["search", "eval", "agent", "status", "failures", "doctor", "cache"] },
  { title: "One document", names: ["parse", "chunks", "look"] },
  { title: "Services and shells", names: ["mcp", "serve", "completion"] }
]

/** Flags of the program's page, in few words. */
export const mostUsed: ReadonlyArray<Term> = [
  [typed(flags.to), "jsonl:FILE, libsql:FILE, fs:DIR, … (jsonl:chunks.jsonl)"],
  [typed(flags.root), "folder that document ids begin at (the working directory)"],
  [typed(flags.embedder), "none, hash or openai:MODEL[@BASE] (none)"],
  [typed(flags.chunker), "auto, pages, blocks or markdown (auto)"],
  [typed(flags.maxTokens), "most tokens of a chunk (512)"],
  ["--mode NAME", "append, upsert or sync (upsert)"],
  [typed(flags.state), "what runs remember (.docsluice)"],
  [`${typed(flags.json)}, ${typed(flags.quiet)}`, "one JSON value as result; only results and errors"]
]

export const examples = [
  "docsluice ingest docs --to libsql:store.db --embedder hash",
  'docsluice search "how often is it cleaned" --to libsql:store.db',
  "docsluice parse report.pdf > report.md"
] as const
