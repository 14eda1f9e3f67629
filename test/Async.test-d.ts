import type { EmbeddingModelV2, EmbeddingModelV3, EmbeddingModelV4 } from "@ai-sdk/provider"
import type { EmbeddingsInterface } from "@langchain/core/embeddings"
import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
import * as Embedder from "docsluice/Embedder"
import type { Layer } from "effect"
import { expectTypeOf } from "vitest"

declare const configured: string

// @ts-expect-error -- there is no such kind of target
void Async.open({ to: "sqlite:store.db" })
// @ts-expect-error -- there is no such embedder
void Async.open({ to: "libsql:store.db", embedder: "hsh" })
// @ts-expect-error -- there is no such kind of target
Corpus.layer({ to: ["jsonl:chunks.jsonl", "pgvektor:postgres://127.0.0.1/rag"] })
// @ts-expect-error -- nobody has looked at this text
Corpus.layer({ to: configured })

void Async.open({ to: `libsql:${configured}`, embedder: `ollama:${configured}` })
if (Async.isTarget(configured)) void Async.open({ to: configured })
if (Corpus.isTarget(configured) && Corpus.isEmbedder(configured)) Corpus.layer({ to: configured })

expectTypeOf(Async.isEmbedder).parameter(0).toEqualTypeOf<string>()

declare const ofTheSdk: EmbeddingModelV2<string> | EmbeddingModelV3 | EmbeddingModelV4
declare const embeddings: EmbeddingsInterface

void Async.open({ to: "libsql:store.db", embedder: ofTheSdk })
Corpus.layer({ to: "libsql:store.db", embedder: ofTheSdk })
void Async.open({ to: "libsql:store.db", embedder: { model: "mine", embed: ofTheSdk } })
void Async.open({ to: "libsql:store.db", embedder: { model: "mine", embed: embeddings } })
void Async.open({ to: "libsql:store.db", embedder: Object.assign(embeddings, { modelName: "mine" }) })
// @ts-expect-error -- vectors are named after their model, and these do not say it
void Async.open({ to: "libsql:store.db", embedder: embeddings })
// @ts-expect-error -- as above
Embedder.layerFrom(embeddings)
expectTypeOf(Embedder.layerFrom(embeddings, { model: "mine" })).toEqualTypeOf<Layer.Layer<Embedder.Embedder>>()
