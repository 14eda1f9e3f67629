import { defaultMinScore } from "../../internal/sink/minScore.ts"
/** Flags of the stores: what chunks are written to, how a store is searched, and what an agent answers from. */
import {
  embedderKinds,
  embedderWords,
  rerankerWords,
  searchedKinds,
  sinkKinds
} from "../../internal/target/spelling.ts"
import * as Flag from "../Flag.ts"
import * as Reader from "../Reader.ts"

const beginnings = (kinds: ReadonlyArray<string>): ReadonlyArray<string> => kinds.map((kind) => `${kind}:`)

const searched = Reader.text("SINK", beginnings(searchedKinds))
const searchedForms =
  "libsql:FILE, pgvector:URL, lancedb:DIR[#TABLE], chroma:URL[#COLLECTION], qdrant:URL[#COLLECTION] or opensearch:URL[#INDEX]"

const embedders = Reader.text("NAME", [...embedderWords, ...beginnings(embedderKinds)])

export const stores = {
  to: Flag.list(
    "to",
    "target of the chunks: jsonl:FILE, fs:DIR, libsql:FILE, pgvector:URL, lancedb:DIR[#TABLE], chroma:URL[#COLLECTION], qdrant:URL[#COLLECTION] or opensearch:URL[#INDEX]; may be repeated (default: jsonl:chunks.jsonl)",
    Reader.text("SINK", beginnings(sinkKinds)),
    { common: true }
  ),
  store: Flag.list("to", `the store: ${searchedForms}`, searched, { common: true }),
  lookedStore: Flag.list("to", "store to search, as docsluice search takes it (default: none)", searched, {
    common: true
  }),
  embedder: Flag.value(
    "embedder",
    "embedder of the chunks: none, hash (offline, lexical), openai:MODEL[@BASE], cohere:MODEL[@BASE] or voyage:MODEL[@BASE], with its key in DOCSLUICE_EMBEDDER_API_KEY, ollama:MODEL[@BASE] or transformers:MODEL; settings after a ?: dimensions, batchSize, documentPrefix, queryPrefix",
    embedders,
    { default: "none", common: true }
  ),
  queryEmbedder: Flag.optional(
    "embedder",
    "embedder of the query: none, hash, openai:MODEL[@BASE], cohere:MODEL[@BASE], voyage:MODEL[@BASE], ollama:MODEL[@BASE] or transformers:MODEL (default: that of the store's vectors, if it can run here)",
    embedders,
    { common: true }
  ),
  mode: Flag.value(
    "mode",
    "append: delete nothing; upsert: replace changed documents; sync: also remove documents that no longer exist",
    Reader.oneOf("append", "upsert", "sync"),
    { default: "upsert", common: true }
  ),
  allowRemovals: Flag.toggle("allow-removals", "let --mode sync remove more than half of the documents"),
  rechunk: Flag.toggle(
    "rechunk",
    "split every document anew, from the cache, with the settings given here; the root keeps them (without: what is not given is as it was split before)"
  ),
  rebuild: Flag.toggle("rebuild", "empty the targets and write everything again, from the cache"),
  beside: Flag.toggle(
    "beside",
    "fill a second generation of the targets while the first is searched; docsluice switch changes over"
  ),
  shared: Flag.toggle("shared", "let other states write to the targets as well; the owning state must set this first"),
  adopt: Flag.toggle("adopt", "take over the targets from the state that owned them, after that state was lost"),
  fix: Flag.toggle("fix", "remove what is extra or stale, and write what is missing, from the cache")
}

export const search = {
  filter: Flag.list(
    "filter",
    'only chunks that it holds for: KEY=VALUE of metadata, source, documentId, page, heading, kind or date, or JSON such as \'{"metadata.year":{"$gte":2020}}\'; may be repeated, and all must hold',
    Reader.text("KEY=VALUE")
  ),
  tenant: Flag.optional("tenant", "the tenant to search, in a store that several share", Reader.text("NAME")),
  limit: Flag.value("limit", "most hits", Reader.integer(1, 1000), { default: "10" }),
  offset: Flag.value(
    "offset",
    "hits to leave out before the first: the next page of the same list",
    Reader.integer(0),
    {
      default: "0"
    }
  ),
  minScore: Flag.value("min-score", "relevance below which hits are left out, from 0 (none) to 1", Reader.share, {
    default: String(defaultMinScore)
  }),
  vectorWeight: Flag.optional(
    "vector-weight",
    "how much the vectors count beside 1 for the words (default: 1, and 0.1 for those of hash)",
    Reader.weight
  ),
  rerank: Flag.value(
    "rerank",
    "model that puts the first hits in a new order: cohere:MODEL[@BASE], jina:MODEL[@BASE], voyage:MODEL[@BASE], tei:[MODEL]@BASE, llamacpp:[MODEL]@BASE or vllm:[MODEL]@BASE, with its key in DOCSLUICE_RERANK_API_KEY",
    Reader.text("NAME", rerankerWords),
    { default: "none" }
  ),
  window: Flag.value("window", "first hits that --rerank and --diversity put in order", Reader.integer(1, 1000), {
    default: "40"
  }),
  diversity: Flag.value(
    "diversity",
    "how much hits that repeat others are put back, from 0 (not at all) to 1",
    Reader.share,
    { default: "0" }
  ),
  perDocument: Flag.optional("per-document", "most hits of one document (default: all)", Reader.integer(1, 1000)),
  neighbours: Flag.value(
    "neighbours",
    "chunks before and after each hit in its document to show",
    Reader.integer(0, 20),
    { default: "0" }
  ),
  context: Flag.toggle("context", "show the section of each hit, or the larger chunk that holds it"),
  verify: Flag.toggle(
    "verify",
    "take QUERY for an answer, - for standard input, and show where each of its sentences stands word for word; of the flags of a search, --filter and --tenant count"
  )
}

export const agent = {
  over: Flag.list(
    "over",
    "file, folder or pattern of documents to read, parsed here; may be repeated; for the embedded service",
    Reader.text("PATH"),
    { common: true }
  ),
  schema: Flag.optional("schema", "file with a JSON Schema; the result is data of its shape", Reader.text("FILE"), {
    common: true
  }),
  maxCredits: Flag.optional(
    "max-credits",
    "credits that the run may use, 1 for 1000 tokens; a run that reaches them fails and is not charged (default: 2500)",
    Reader.integer(1)
  ),
  follow: Flag.toggle(
    "follow",
    "show each event as it happens, a line on stderr; with --json a JSON line on stdout, before the job",
    { common: true }
  )
}

/** Of the server, for agents elsewhere. */
export const mcpStore = Flag.optional(
  "mcp",
  `store whose documents agents may search and read at /mcp, over the Model Context Protocol: ${searchedForms} (default: none)`,
  searched
)

/** Of the server, next to its model. */
export const agentStore = Flag.optional(
  "agent-store",
  `store whose documents agent jobs are answered from, opened read-only: ${searchedForms}; needs --model (default: no agent jobs)`,
  searched
)
