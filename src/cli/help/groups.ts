/** Groups of flags and commands on help pages, and the forms of their values. A flag without a place here is listed last. */

export interface Group {
  readonly title: string
  readonly names: ReadonlyArray<string>
}

/** Flags by name without dashes, in the order of a page. */
export const flagGroups: ReadonlyArray<Group> = [
  {
    title: "Files",
    names: [
      "root",
      "name",
      "new-root",
      "ignore",
      "gitignore",
      "files-from",
      "types",
      "endpoint",
      "allow-private",
      "poll"
    ]
  },
  { title: "Stores", names: ["to", "embedder", "mode", "allow-removals", "rebuild", "shared", "adopt", "fix"] },
  { title: "Search", names: ["where", "filter", "limit", "min-score"] },
  { title: "Agent", names: ["over", "schema", "max-credits", "follow"] },
  { title: "Parsing", names: ["service", "api-key", "parse-options", "format"] },
  {
    title: "Chunks",
    names: ["chunker", "max-tokens", "min-tokens", "overlap", "page-boundaries", "tokenizer", "metadata"]
  },
  { title: "State", names: ["state", "no-state", "verify", "refresh", "clear", "max-size"] },
  {
    title: "Cost and speed",
    names: [
      "budget-pages",
      "budget-credits",
      "concurrency",
      "max-bytes-in-flight",
      "outage-limit",
      "on-failure",
      "ordered"
    ]
  },
  {
    title: "Server",
    names: [
      "port",
      "host",
      "keys",
      "rate",
      "credits",
      "allow-host",
      "cors",
      "grace",
      "spool",
      "no-page",
      "open",
      "model",
      "model-context",
      "agent-store"
    ]
  },
  { title: "serve keys add", names: ["file", "permissions", "zero-data-retention"] },
  { title: "Queue", names: ["queue", "allow"] },
  { title: "Output", names: ["html", "report", "json", "quiet", "progress"] }
]

/** Flags of the short page of a command that has many. */
export const common: ReadonlySet<string> = new Set([
  "root",
  "name",
  "ignore",
  "to",
  "embedder",
  "mode",
  "service",
  "api-key",
  "chunker",
  "max-tokens",
  "state",
  "budget-credits",
  "over",
  "schema",
  "follow",
  "host",
  "port",
  "keys",
  "rate",
  "model",
  "open",
  "json",
  "quiet"
])

/** Flags that every command takes. */
export const everywhere = [
  ["--log-level LEVEL", "all, trace, debug, info, warning, error, fatal or none (default: info)"],
  ["--no-color", "no colours, as with NO_COLOR in the environment"]
] as const

/** Forms of values; of the others, `VALUE` or the words that are accepted. */
const forms: Readonly<Record<string, string>> = {
  root: "DIR",
  name: "NAME",
  ignore: "PATTERN",
  "files-from": "FILE|-",
  to: "SINK",
  embedder: "NAME",
  service: "ADDRESS",
  "api-key": "KEY|@FILE",
  keys: "FILE",
  file: "FILE",
  html: "FILE|-",
  report: "FILE",
  state: "DIR",
  spool: "DIR",
  "parse-options": "JSON|@FILE",
  "max-tokens": "N",
  overlap: "N",
  limit: "N",
  "budget-pages": "N",
  "budget-credits": "N",
  concurrency: "N",
  credits: "N",
  port: "N",
  host: "HOST",
  "model-context": "N",
  "max-size": "SIZE",
  "max-bytes-in-flight": "SIZE",
  "outage-limit": "TIME",
  grace: "TIME",
  rate: "RATE",
  "agent-store": "SINK",
  over: "PATH",
  schema: "FILE",
  "max-credits": "N",
  "allow-host": "HOST",
  "allow-private": "HOST",
  poll: "TIME",
  cors: "ORIGIN",
  model: "MODEL",
  permissions: "LIST",
  filter: "KEY=VALUE",
  tokenizer: "NAME",
  format: "NAME"
}

interface Valued {
  readonly name: string
  readonly kind: "switch" | "value" | "list"
  readonly choices?: ReadonlyArray<string> | undefined
}

/** Form of a flag's value; empty for a switch. */
export const form = ({ choices, kind, name }: Valued): string => {
  if (kind === "switch") return ""
  const words = choices?.join("|") ?? ""
  return forms[name] ?? (words !== "" && words.length <= 20 ? words : words === "" ? "VALUE" : "NAME")
}

/** The flag as it is typed, with the form of its value; `…` where it may be repeated. */
export const spelled = (flag: Valued): string =>
  `--${flag.name}${flag.kind === "switch" ? "" : ` ${form(flag)}`}${flag.kind === "list" ? "…" : ""}`

export interface CommandGroup {
  readonly title: string
  /** Each command as it is typed, and its meaning in a few words. */
  readonly commands: ReadonlyArray<readonly [usage: string, meaning: string]>
}

/** Commands in the order of the page; one that is missing here is listed last, by its description. */
export const commandGroups: ReadonlyArray<CommandGroup> = [
  {
    title: "Documents into stores",
    commands: [
      ["ingest PATH…", "find, parse, split, embed and store documents"],
      ["plan PATH…", "what ingest would do and cost; sends and writes nothing"],
      ["watch PATH…", "as ingest, and again as files change"],
      ["retry", "the documents that failed, each as its run was told"],
      ["remove SOURCE…", "a document out of stores, cache and state"]
    ]
  },
  {
    title: "What is there",
    commands: [
      ["search QUERY", "search a store by words and by meaning"],
      ["agent run PROMPT", "answer a question from documents, with their passages"],
      ["status", "the last run, and what the state holds"],
      ["failures", "what failed, by cause, and what helps"],
      ["doctor", "compare the stores with the state; --fix mends them"],
      ["cache", "size and age of the parse cache"]
    ]
  },
  {
    title: "One document",
    commands: [
      ["parse FILE", "its Markdown, or the whole answer with --json"],
      ["chunks FILE", "its chunks, as JSON lines or as a web page"],
      ["look [FILE…]", "a page on this machine: documents, or a store with --to"]
    ]
  },
  {
    title: "Services and shells",
    commands: [
      ["serve", "the embedded parsing service over HTTP"],
      ["completion SHELL", "completion of the command line for bash, zsh or fish"]
    ]
  }
]

/** Flags of the program's page, in few words. */
export const mostUsed: ReadonlyArray<readonly [flag: string, meaning: string]> = [
  ["--to SINK…", "jsonl:FILE, libsql:FILE, fs:DIR, … (jsonl:chunks.jsonl)"],
  ["--root DIR", "folder that document ids begin at (the working directory)"],
  ["--embedder NAME", "none, hash or openai:MODEL[@BASE] (none)"],
  ["--chunker NAME", "auto, pages, blocks or markdown (auto)"],
  ["--max-tokens N", "most tokens of a chunk (512)"],
  ["--mode NAME", "append, upsert or sync (upsert)"],
  ["--service ADDRESS", "embedded, or the address of a service (embedded)"],
  ["--state DIR", "what runs remember (.docsluice)"],
  ["--json, --quiet", "one JSON value as result; only results and errors"]
]

export const examples = [
  "docsluice ingest docs --to libsql:store.db --embedder hash",
  'docsluice search "how often is it cleaned" --to libsql:store.db',
  "docsluice parse report.pdf > report.md"
] as const
