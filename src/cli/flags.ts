/** Every flag of the command line, defined once; a command picks those that it needs. */
import * as Either from "effect/Either"
import { defaultMinScore } from "../internal/sink/minScore.ts"
import * as ApiKey from "../service/ApiKey.ts"
import * as Flag from "./Flag.ts"

export const json = Flag.toggle("json", "exactly one JSON value on stdout")
export const quiet = Flag.toggle("quiet", "results and errors only: no progress, warnings or remarks")

export const root = Flag.optional(
  "root",
  "folder that paths are relative to (default: the working directory)",
  Flag.text
)
export const name = Flag.optional(
  "name",
  "name of the root, first part of every document id (default: its base name)",
  Flag.segment
)
export const newRoot = Flag.toggle(
  "new-root",
  "treat the root as a new one, even if it holds the files of a known root that no longer exists"
)
export const ignore = Flag.list("ignore", "leave out what matches this pattern; may be repeated")
export const gitignore = Flag.toggle("gitignore", "leave out what .gitignore files leave out")
export const filesFrom = Flag.optional(
  "files-from",
  "read the paths from this file, one per line or NUL-separated; - for stdin",
  Flag.text
)
export const endpoint = Flag.optional(
  "endpoint",
  "address of the object store of s3:// or az:// paths, such as http://127.0.0.1:9000 (default: of the environment, then Amazon's or Azure's)",
  Flag.text
)
export const allowPrivate = Flag.list(
  "allow-private",
  "host, without a port, of list: or sitemap: that may have a private address, * for any; may be repeated (default: none)"
)
export const poll = Flag.optional(
  "poll",
  "time between two looks at addresses, which report no changes, such as 15m (default: 1m)",
  Flag.duration
)
export const types = Flag.list(
  "types",
  "take only files of these types, such as pdf,md; +tex takes one more, read as plain text; may be repeated (default: every type that can be read)"
)
export const to = Flag.list(
  "to",
  "target of the chunks: jsonl:FILE, fs:DIR, libsql:FILE, pgvector:URL, lancedb:DIR[#TABLE], chroma:URL[#COLLECTION], qdrant:URL[#COLLECTION] or opensearch:URL[#INDEX]; may be repeated (default: jsonl:chunks.jsonl)"
)
export const embedder = Flag.value(
  "embedder",
  "embedder of the chunks: none, hash (offline, lexical), openai:MODEL[@BASE], with its key in DOCSLUICE_EMBEDDER_API_KEY, ollama:MODEL[@BASE] or transformers:MODEL; settings after a ?: dimensions, batchSize, documentPrefix, queryPrefix (default: none)",
  "none",
  Flag.text
)
export const state = Flag.value(
  "state",
  "folder of ledger, parse cache and dead letters, or postgres://HOST/DATABASE[?schema=NAME], which many processes may use (default: .docsluice)",
  ".docsluice",
  Flag.text
)

export const queue = Flag.secret(
  Flag.optional(
    "queue",
    "send the documents to workers through this queue: redis://HOST:PORT, rediss://HOST:PORT, postgres://HOST/DATABASE, or @FILE with the address in it; needs a state on a server",
    Flag.text
  )
)
export const queueOf = Flag.secret(
  Flag.optional(
    "queue",
    "address of the queue: redis://HOST:PORT, rediss://HOST:PORT, postgres://HOST/DATABASE, or @FILE with the address in it",
    Flag.text
  )
)
export const allow = Flag.list(
  "allow",
  "let runs use this: a folder or s3://BUCKET/PREFIX for documents, a target as in --to, with its credential, the address of a service, or an embedder; may be repeated"
)

export const noState = Flag.toggle(
  "no-state",
  "keep no state; every target must be absent or empty, unless the mode is append"
)
export const mode = Flag.value(
  "mode",
  "append: delete nothing; upsert: replace changed documents; sync: also remove documents that no longer exist (default: upsert)",
  "upsert",
  Flag.oneOf("append", "upsert", "sync")
)
export const allowRemovals = Flag.toggle("allow-removals", "let --mode sync remove more than half of the documents")
export const verify = Flag.toggle("verify", "hash every file, also when its date and size are unchanged")
export const refresh = Flag.toggle("refresh", "parse everything again, without reading the cache")
export const empty = Flag.toggle(
  "empty",
  "the documents that are stored without text or in part, instead of the failed ones"
)
export const rebuild = Flag.toggle("rebuild", "empty the targets and write everything again, from the cache")
export const shared = Flag.toggle(
  "shared",
  "let other states write to the targets as well; the owning state must set this first"
)
export const adopt = Flag.toggle(
  "adopt",
  "take over the targets from the state that owned them, after that state was lost"
)
export const budgetPages = Flag.optional(
  "budget-pages",
  "stop before more pages than this are parsed; the cache costs nothing",
  Flag.integer(0)
)
export const budgetCredits = Flag.optional(
  "budget-credits",
  "stop before more credits than this are spent",
  Flag.integer(0)
)

export const service = Flag.value(
  "service",
  "embedded, or the base address of a service (default: embedded)",
  "embedded",
  Flag.text
)
export const ocrLanguages = Flag.optional(
  "ocr-languages",
  "languages in which scans are read here, such as eng,deu, the best for each document; eng+deu is both at once; they need packages (default: all that are installed)",
  Flag.languages
)
export const apiKey = Flag.secret(
  Flag.optional(
    "api-key",
    "key of the service, @FILE to read it from a file, or none; better in DOCSLUICE_API_KEY",
    Flag.text
  )
)
export const parseOptions = Flag.optional(
  "parse-options",
  "options of a parse as JSON, or @FILE; merged over the default options of a run",
  Flag.text
)
export const format = Flag.value(
  "format",
  "markdown, html, rawHtml, links, images, summary or json (default: markdown)",
  "markdown",
  Flag.oneOf("markdown", "html", "rawHtml", "links", "images", "summary", "json")
)

export const chunker = Flag.value(
  "chunker",
  "auto, pages, blocks or markdown (default: auto)",
  "auto",
  Flag.oneOf("auto", "pages", "blocks", "markdown")
)
export const maxTokens = Flag.value("max-tokens", "token budget of a chunk (default: 512)", "512", Flag.integer(1))
export const overlap = Flag.value(
  "overlap",
  "most tokens of a chunk that the next one repeats; less than --max-tokens (default: 0)",
  "0",
  Flag.integer(0)
)
export const minTokens = Flag.value(
  "min-tokens",
  "a chunk below this continues into the next section; at most --max-tokens (default: 0)",
  "0",
  Flag.integer(0)
)
export const pageBoundaries = Flag.optional(
  "page-boundaries",
  "soft: chunks may cross the start of a page; hard: they never do (default: hard for pages, else soft)",
  Flag.oneOf("soft", "hard")
)
export const metadata = Flag.list(
  "metadata",
  "KEY=VALUE: put it into the metadata of every chunk; may be repeated, one value for a key"
)
export const tokenizer = Flag.value(
  "tokenizer",
  "o200k_base, cl100k_base or chars (default: o200k_base)",
  "o200k_base",
  Flag.oneOf("o200k_base", "cl100k_base", "chars")
)

export const page = Flag.optional(
  "html",
  "write a web page to this file, - for stdout, instead of the JSON lines",
  Flag.text
)

export const report = Flag.optional(
  "report",
  "write a report of the run to this file, as a web page, with the history of the state",
  Flag.text
)
export const statusPage = Flag.optional(
  "html",
  "write the reports of the last runs to this file, as a web page, - for stdout; the result is printed too, unless it goes there",
  Flag.text
)

export const concurrency = Flag.value(
  "concurrency",
  "requests in flight: a number, or adaptive, as many as the service takes (default: adaptive)",
  "adaptive",
  (text): Either.Either<number | "adaptive", string> =>
    text === "adaptive"
      ? Either.right(text)
      : Either.mapLeft(Flag.integer(1, 1024)(text), (expected) => `adaptive or ${expected}`)
)
export const workerConcurrency = Flag.optional(
  "concurrency",
  "requests in flight of this worker: a number, or adaptive (default: as the run says)",
  (text): Either.Either<number | "adaptive", string> =>
    text === "adaptive" ? Either.right(text) : Flag.integer(1, 1024)(text)
)
export const outageLimit = Flag.value(
  "outage-limit",
  "stop when no request succeeded for this time, such as 10m (default: 10m)",
  "10m",
  Flag.duration
)
export const maxBytesInFlight = Flag.value(
  "max-bytes-in-flight",
  "bound on the bytes held in memory (default: 64MB)",
  "64MB",
  Flag.size
)
export const ordered = Flag.toggle("ordered", "store documents in order of discovery, found in a stable order")
export const onFailure = Flag.value(
  "on-failure",
  "dead-letter: record the failure and go on; fail: stop the run (default: dead-letter)",
  "dead-letter",
  Flag.oneOf("dead-letter", "fail")
)
export const progress = Flag.value(
  "progress",
  "auto (a bar on a terminal, else nothing), plain or none (default: auto)",
  "auto",
  Flag.oneOf("auto", "plain", "none")
)

export const fix = Flag.toggle("fix", "remove what is extra or stale, and write what is missing, from the cache")
export const clear = Flag.toggle("clear", "delete every answer")
export const maxSize = Flag.optional(
  "max-size",
  "delete the least recently used answers above this size, such as 2GB",
  Flag.size
)

export const port = Flag.value("port", "0 takes a free one (default: 8787)", "8787", Flag.integer(0, 65_535))
export const host = Flag.value("host", "address to bind (default: 127.0.0.1)", "127.0.0.1", Flag.text)
export const apiKeys = Flag.secret(
  Flag.list("api-key", "a key that is accepted, or @FILE; may be repeated; none: any key or no key")
)
export const allowHosts = Flag.list(
  "allow-host",
  "a name that requests may be addressed to next to the server's own, HOST or HOST:PORT, * for any; may be repeated (default: on a loopback address its own only, else any)"
)
export const cors = Flag.optional(
  "cors",
  "origin of web pages that may call the server, such as https://app.example, * for all (default: none)",
  Flag.text
)
export const grace = Flag.value(
  "grace",
  "how long requests in flight may go on after an interrupt, such as 30s (default: 30s)",
  "30s",
  Flag.duration
)

export const rate = Flag.optional(
  "rate",
  "most requests of all callers, such as 10/s or 600/min; further ones get a 429 (default: no limit)",
  (text): Either.Either<string, string> =>
    ApiKey.isRate(text) ? Either.right(text) : Either.left("a rate such as 10/s or 600/min")
)
export const served = Flag.optional(
  "concurrency",
  "most requests of all callers at a time; further ones wait (default: no limit, or adaptive)",
  (text): Either.Either<number | "adaptive", string> =>
    text === "adaptive" ? Either.right(text) : Flag.integer(1, 1_000_000)(text)
)
export const credits = Flag.optional(
  "credits",
  "credits that all callers may spend, 1 for a document and for each further PDF page; then 402 (default: no limit)",
  Flag.integer(0)
)
export const keys = Flag.optional(
  "keys",
  "file of accepted keys, each with limits of its own; instead of --api-key, --rate, --concurrency and --credits",
  Flag.text
)
export const model = Flag.optional(
  "model",
  "language model for summary, json and agent jobs: openai:MODEL[@BASE], with its key in DOCSLUICE_MODEL_API_KEY (default: none)",
  Flag.text
)
export const modelContext = Flag.optional(
  "model-context",
  "tokens that a request to the model and its answer may hold together (default: 8192)",
  Flag.integer(1024)
)
export const agentStore = Flag.optional(
  "agent-store",
  "store whose documents agent jobs are answered from, opened read-only: libsql:FILE, pgvector:URL, lancedb:DIR[#TABLE], chroma:URL[#COLLECTION], qdrant:URL[#COLLECTION] or opensearch:URL[#INDEX]; needs --model (default: no agent jobs)",
  Flag.text
)
export const serverState = Flag.value(
  "state",
  "folder in which spent credits are kept, where they are limited, and agent jobs (default: .docsluice)",
  ".docsluice",
  Flag.folder
)
export const keyFile = Flag.value(
  "file",
  "keys add: file to add the key to (default: keys.json)",
  "keys.json",
  Flag.text
)
export const keyName = Flag.optional("name", "keys add: name of the key", Flag.text)
export const permissions = Flag.optional(
  "permissions",
  `keys add: what the key may use, of ${ApiKey.Permission.literals.join(",")} (default: all of them but metrics)`,
  Flag.listOf(...ApiKey.Permission.literals)
)
export const zeroDataRetention = Flag.optional(
  "zero-data-retention",
  `keys add: ${ApiKey.ZeroDataRetention.literals.join(", ")} (default: allowed)`,
  Flag.oneOf(...ApiKey.ZeroDataRetention.literals)
)
export const spool = Flag.optional(
  "spool",
  "folder for uploads above 1 MB, without names and deleted with their request (default: the system's temporary folder)",
  Flag.text
)

export const noPage = Flag.toggle("no-page", "leave out the page at /, on which documents can be looked at")
export const lookPort = Flag.value("port", "0 takes a free one (default: 0)", "0", Flag.integer(0, 65_535))
export const lookHost = Flag.value("host", "loopback address to bind (default: 127.0.0.1)", "127.0.0.1", Flag.text)
export const openPage = Flag.toggle("open", "open the page in the system's browser")

export const store = Flag.list(
  "to",
  "the store: libsql:FILE, pgvector:URL, lancedb:DIR[#TABLE], chroma:URL[#COLLECTION], qdrant:URL[#COLLECTION] or opensearch:URL[#INDEX]"
)
export const queryEmbedder = Flag.optional(
  "embedder",
  "embedder of the query: none, hash, openai:MODEL[@BASE], ollama:MODEL[@BASE] or transformers:MODEL (default: that of the store's vectors, if it can run here)",
  Flag.text
)
export const lookedStore = Flag.list("to", "store to search, as docsluice search takes it (default: none)")
export const lookedRoots = Flag.list(
  "root",
  "NAME=DIR: folder of a root of the store; may be repeated (default: those of the state)"
)
export const lookedState = Flag.optional(
  "state",
  "state of the run that filled the store; only read (default: .docsluice)",
  Flag.text
)
export const filter = Flag.list(
  "filter",
  'only chunks that it holds for: KEY=VALUE of metadata, source, documentId, page, heading, kind or date, or JSON such as \'{"metadata.year":{"$gte":2020}}\'; may be repeated, and all must hold'
)
export const limit = Flag.value("limit", "most hits (default: 10)", "10", Flag.integer(1, 1000))
export const minScore = Flag.value(
  "min-score",
  `relevance below which hits are left out, from 0 (none) to 1 (default: ${defaultMinScore})`,
  String(defaultMinScore),
  Flag.share
)
export const neighbours = Flag.value(
  "neighbours",
  "chunks before and after each hit in its document to show (default: 0)",
  "0",
  Flag.integer(0, 20)
)
export const context = Flag.toggle("context", "show the section of each hit, or the larger chunk that holds it")

export const over = Flag.list(
  "over",
  "file, folder or pattern of documents to read, parsed here; may be repeated; for the embedded service"
)
export const maxCredits = Flag.optional(
  "max-credits",
  "credits that the run may use, 1 for 1000 tokens; a run that reaches them fails and is not charged (default: 2500)",
  Flag.integer(1)
)
export const schema = Flag.optional("schema", "file with a JSON Schema; the result is data of its shape", Flag.text)
export const follow = Flag.toggle(
  "follow",
  "show each event as it happens, a line on stderr; with --json a JSON line on stdout, before the job"
)
export const agentService = Flag.value(
  "service",
  "embedded, or the base address of a service with agents, which reads documents of its own (default: embedded)",
  "embedded",
  Flag.text
)
export const agentState = Flag.value(
  "state",
  "folder in which the jobs of the embedded service are kept for 24 hours (default: .docsluice)",
  ".docsluice",
  Flag.folder
)
