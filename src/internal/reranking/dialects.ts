/** Dialects of `POST …/rerank`, one row each: where a server is asked, with what, and where its answer has the scores. */

/** Kinds of rerankers, as their spellings begin. */
export const kinds = ["cohere", "jina", "voyage", "tei", "llamacpp", "vllm"] as const

/**
 * A kind of server that reranks: Cohere, Jina, Voyage, Text Embeddings Inference, llama.cpp and vLLM.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = (typeof kinds)[number]

export interface Dialect {
  /** For a reader. */
  readonly name: string
  /** The provider's own address; null for a server that users run. */
  readonly base: string | null
  /** Below the base address. */
  readonly path: string
  /** Most texts of one request. */
  readonly batchSize: number
  /** The body of a request; `model` is undefined where a server has only one. */
  readonly body: (model: string | undefined, query: string, texts: ReadonlyArray<string>) => object
  /** Member of the answer that holds the list of scores; null where the answer is the list. */
  readonly list: "results" | "data" | null
  /** Member of an item that holds its score. */
  readonly score: "relevance_score" | "score"
}

const likeJina: Omit<Dialect, "name" | "batchSize"> = {
  base: null,
  path: "/v1/rerank",
  body: (model, query, documents) => ({ model, query, documents }),
  list: "results",
  score: "relevance_score"
}

export const dialects: Readonly<Record<Kind, Dialect>> = {
  // Cuts long documents by itself, after 4,096 tokens.
  cohere: { ...likeJina, name: "Cohere", base: "https://api.cohere.com", path: "/v2/rerank", batchSize: 1000 },
  jina: {
    ...likeJina,
    name: "Jina",
    base: "https://api.jina.ai",
    batchSize: 1000,
    body: (model, query, documents) => ({ model, query, documents, return_documents: false })
  },
  voyage: {
    ...likeJina,
    name: "Voyage",
    base: "https://api.voyageai.com",
    batchSize: 1000,
    body: (model, query, documents) => ({ model, query, documents, truncation: true }),
    list: "data"
  },
  tei: {
    ...likeJina,
    name: "Text Embeddings Inference",
    path: "/rerank",
    // What a server takes unless it was started with another `--max-client-batch-size`.
    batchSize: 32,
    body: (_, query, texts) => ({ query, texts, truncate: true }),
    list: null,
    score: "score"
  },
  llamacpp: { ...likeJina, name: "llama.cpp", batchSize: 1000 },
  vllm: { ...likeJina, name: "vLLM", batchSize: 1000 }
}
