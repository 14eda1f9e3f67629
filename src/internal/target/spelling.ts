/** Spellings of targets, embedders and rerankers, as types: a kind that there is none of does not compile. */
import { type Kind, kinds as rerankerKinds } from "../reranking/dialects.ts"

export const sinkKinds = ["jsonl", "fs", "libsql", "pgvector", "lancedb", "chroma", "qdrant", "opensearch"] as const

/** Kinds of targets that can be searched. */
export const searchedKinds = ["libsql", "pgvector", "lancedb", "chroma", "qdrant", "opensearch"] as const

/** A target: its kind, then what that kind takes. */
export type SinkSpelling = `${(typeof sinkKinds)[number]}:${string}`

/** Embedders without a model. */
export const embedderWords = ["none", "hash"] as const

export const embedderKinds = ["openai", "cohere", "voyage", "ollama", "transformers"] as const

export type EmbedderSpelling = (typeof embedderWords)[number] | `${(typeof embedderKinds)[number]}:${string}`

/** The words that the spelling of a reranker is or begins with. */
export const rerankerWords: ReadonlyArray<string> = ["none", ...rerankerKinds.map((kind) => `${kind}:`)]

/** `none`, or a kind with its model and address. */
export type RerankerSpelling = "none" | `${Kind}:${string}`

const begins = (kinds: ReadonlyArray<string>, text: string): boolean =>
  kinds.some((kind) => text.startsWith(`${kind}:`))

/** True for a text whose kind of target there is; what follows the kind is checked when it is opened. */
export const isTarget = (text: string): text is SinkSpelling => begins(sinkKinds, text)

/** True for `none`, `hash`, and a text whose kind of embedder there is. */
export const isEmbedder = (text: string): text is EmbedderSpelling =>
  embedderWords.some((word) => word === text) || begins(embedderKinds, text)

/** True for `none`, and a text whose kind of reranker there is. */
export const isReranker = (text: string): text is RerankerSpelling => text === "none" || begins(rerankerKinds, text)
