import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Embedded from "docsluice/service/Embedded"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { documents, violations } from "./corpus.ts"

/** Any folder of documents; those that cannot be parsed are left out. */
const folder = process.env["DOCSLUICE_CORPUS"] ?? fileURLToPath(new URL("../../examples/documents", import.meta.url))

describe("the laws of a chunk", () => {
  it.live(
    `hold for the documents of ${folder}, through all chunkers and tokenizers, with and without overlap`,
    () =>
      Effect.gen(function* () {
        const tokenizers = yield* Effect.forEach(["o200k_base", "cl100k_base", "chars"] as const, (name) =>
          Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer(name))
        )
        const parsed = yield* Effect.provide(documents(folder), Embedded.layer())
        assert.isAbove(parsed.length, 0)
        // The event loop turns between documents.
        const found = yield* Effect.forEach(parsed, (document) =>
          Effect.map(Effect.sleep(0), () => violations(document, tokenizers))
        )
        assert.deepStrictEqual(found.flat(), [])
      }),
    { timeout: 3_600_000 }
  )
})
