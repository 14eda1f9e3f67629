/** Flags of the server and of its keys. */
import * as Either from "effect/Either"
import * as ApiKey from "../../internal/server/apiKey.ts"
import * as Flag from "../Flag.ts"
import * as Reader from "../Reader.ts"
import { agentStore, mcpStore } from "./stores.ts"

const portNumber = Reader.integer(0, 65_535)
const loopback = { default: "127.0.0.1", common: true }

const requestRate: Reader.Reader<string> = {
  form: "RATE",
  read: (text) => (ApiKey.isRate(text) ? Either.right(text) : Either.left("a rate such as 10/s or 600/min"))
}

export const server = {
  port: Flag.value("port", "0 takes a free one", portNumber, { default: "8787", common: true }),
  lookPort: Flag.value("port", "0 takes a free one", portNumber, { default: "0", common: true }),
  host: Flag.value("host", "address to bind", Reader.text("HOST"), loopback),
  lookHost: Flag.value("host", "loopback address to bind", Reader.text("HOST"), loopback),
  keys: Flag.optional(
    "keys",
    "file of accepted keys, each with limits of its own; instead of --api-key, --rate, --concurrency and --credits",
    Reader.text("FILE"),
    { common: true }
  ),
  rate: Flag.optional(
    "rate",
    "most requests of all callers, such as 10/s or 600/min; further ones get a 429 (default: no limit)",
    requestRate,
    { common: true }
  ),
  credits: Flag.optional(
    "credits",
    "credits that all callers may spend, 1 for a document and for each further PDF page; then 402 (default: no limit)",
    Reader.integer(0)
  ),
  allowHosts: Flag.list(
    "allow-host",
    "a name that requests may be addressed to next to the server's own, HOST or HOST:PORT, * for any; may be repeated (default: on a loopback address its own only, else any)",
    Reader.text("HOST")
  ),
  cors: Flag.optional(
    "cors",
    "origin of web pages that may call the server, such as https://app.example, * for all (default: none)",
    Reader.text("ORIGIN")
  ),
  grace: Flag.value("grace", "how long requests in flight may go on after an interrupt, such as 30s", Reader.duration, {
    default: "30s"
  }),
  spool: Flag.optional(
    "spool",
    "folder for uploads above 1 MB, without names and deleted with their request (default: the system's temporary folder)",
    Reader.text("DIR")
  ),
  noPage: Flag.toggle("no-page", "leave out the page at /, on which documents can be looked at"),
  openPage: Flag.toggle("open", "open the page in the system's browser", { common: true }),
  model: Flag.optional(
    "model",
    "language model for summary, json and agent jobs: openai:MODEL[@BASE], with its key in DOCSLUICE_MODEL_API_KEY (default: none)",
    Reader.text("MODEL", ["openai:"]),
    { common: true }
  ),
  modelContext: Flag.optional(
    "model-context",
    "tokens that a request to the model and its answer may hold together (default: 8192)",
    Reader.integer(1024)
  ),
  agentStore,
  mcpStore
}

export const keys = {
  keyFile: Flag.value("file", "keys add: file to add the key to", Reader.text("FILE"), { default: "keys.json" }),
  permissions: Flag.optional(
    "permissions",
    `keys add: what the key may use, of ${ApiKey.Permission.literals.join(",")} (default: all of them but metrics)`,
    Reader.listOf(...ApiKey.Permission.literals)
  ),
  zeroDataRetention: Flag.optional(
    "zero-data-retention",
    `keys add: ${ApiKey.ZeroDataRetention.literals.join(", ")} (default: allowed)`,
    Reader.oneOf(...ApiKey.ZeroDataRetention.literals)
  )
}
