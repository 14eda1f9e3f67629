import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
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
