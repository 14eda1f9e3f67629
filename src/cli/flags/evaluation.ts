/** Flags of `eval`: the searches that are measured, and what is measured. */
import { embedderKinds, embedderWords, rerankerWords } from "../../internal/target/spelling.ts"
import * as Flag from "../Flag.ts"
import * as Reader from "../Reader.ts"

/** Spellings of embedders, with commas between them. */
const embedderList = Reader.text("LIST", [...embedderWords, ...embedderKinds.map((kind) => `${kind}:`)])

export const evaluation = {
  by: Flag.value("by", "searches to measure, some of words,vectors,fused", Reader.listOf("words", "vectors", "fused"), {
    default: "fused",
    common: true
  }),
  chunkers: Flag.value(
    "chunker",
    "chunkers of the documents, some of auto,pages,blocks,markdown",
    Reader.listOf("auto", "pages", "blocks", "markdown"),
    { default: "auto", common: true }
  ),
  sizes: Flag.value("max-tokens", "token budgets of a chunk, such as 128,256,512", Reader.integers(1), {
    default: "512",
    common: true
  }),
  embedders: Flag.optional(
    "embedder",
    "of a store: embedder of the questions, as of search; of documents: embedders, such as none,hash (default: that of the store, or none)",
    embedderList,
    { common: true }
  ),
  rerankers: Flag.value(
    "rerank",
    "rerankers to measure, as of search, with commas between them, such as none,cohere:rerank-v3.5",
    Reader.text("LIST", rerankerWords),
    { default: "none", common: true }
  ),
  stores: Flag.value(
    "stores",
    "temporary stores that the documents are put into, some of libsql,lancedb",
    Reader.listOf("libsql", "lancedb"),
    { default: "libsql" }
  ),
  k: Flag.value("k", "numbers of first hits that are looked at", Reader.integers(1, 1000), { default: "1,3,5,10" }),
  tokens: Flag.value("tokens", "tokens of a prompt that the hits are put into", Reader.integers(1), {
    default: "500,1000,2000,4000"
  }),
  depth: Flag.value("depth", "hits asked for, for MRR and MAP", Reader.integer(1, 1000), { default: "100" }),
  resamples: Flag.value("resamples", "draws of the bootstrap", Reader.integer(1, 100_000), {
    default: "1000"
  }),
  seed: Flag.value("seed", "seed of the bootstrap, and of the choice of passages of make", Reader.integer(0), {
    default: "1"
  }),
  writer: Flag.optional(
    "model",
    "make: language model that writes the questions, openai:MODEL[@BASE], with its key in DOCSLUICE_MODEL_API_KEY",
    Reader.text("MODEL", ["openai:"])
  ),
  count: Flag.value("count", "make: questions to write", Reader.integer(1, 10_000), { default: "20" }),
  modelTokens: Flag.value(
    "model-tokens",
    "make: tokens that all requests and answers may hold together",
    Reader.integer(1),
    {
      default: "200000"
    }
  ),
  baseline: Flag.optional(
    "baseline",
    "JSON result of an earlier run: exit status 1 where a measure is worse by more than --tolerance",
    Reader.text("FILE"),
    { common: true }
  ),
  tolerance: Flag.value("tolerance", "how much worse than in the baseline a measure may be, 0 to 1", Reader.share, {
    default: "0.02"
  })
}
