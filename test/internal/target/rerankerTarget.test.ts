import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as RerankerTarget from "../../../src/internal/target/rerankerTarget.ts"
import type { Environment } from "../../../src/internal/target/secret.ts"
import * as Server from "../../reranking/server.ts"

const keys: Environment = { COHERE_API_KEY: "co-key", JINA_API_KEY: "jina-key", VOYAGE_API_KEY: "voyage-key" }

/** What a check of the spelling says; empty when it can be used. */
const said = (spelling: string, environment: Environment = {}) =>
  RerankerTarget.check(spelling, environment).pipe(
    Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "" }),
    Effect.provide(NodeContext.layer)
  )

describe("the spelling of a reranker", () => {
  it("names kind, model and address", () => {
    for (const [spelling, kind, model, baseUrl] of [
      ["cohere:rerank-v3.5", "cohere", "rerank-v3.5", undefined],
      ["voyage:rerank-2.5@https://proxy.example.com/v1", "voyage", "rerank-2.5", "https://proxy.example.com/v1"],
      ["tei:@http://127.0.0.1:8080", "tei", "", "http://127.0.0.1:8080"],
      ["vllm:BAAI/bge-reranker-v2-m3@http://[::1]:8000", "vllm", "BAAI/bge-reranker-v2-m3", "http://[::1]:8000"],
      ["llamacpp:a@b@http://127.0.0.1:8080", null, "", ""]
    ] as const) {
      const parsed = RerankerTarget.parse(spelling)
      if (kind === null) assert.isTrue(Either.isLeft(parsed))
      else assert.deepStrictEqual(parsed, Either.right({ kind, model, baseUrl }))
    }
    assert.deepStrictEqual(RerankerTarget.parse("none"), Either.right(null))
  })

  it.effect("is refused with what is missing, and without the password that it may hold", () =>
    Effect.gen(function* () {
      for (const [spelling, word] of [
        ["cohrere:x", /expected none, cohere:MODEL.*got "cohrere:…".*did you mean cohere/u],
        ["openai:user:secret", /got "openai:…"/u],
        ["cohere:", /cohere needs a model: cohere:MODEL/u],
        ["tei:", /tei needs the address of its server: tei:MODEL@http:/u],
        ["tei:@ftp://user:secret@host", /begins with neither http:/u],
        ["cohere:rerank-v3.5", /Cohere needs a key; set DOCSLUICE_RERANK_API_KEY or COHERE_API_KEY/u]
      ] as const) {
        const message = yield* said(spelling)
        assert.match(message, word)
        assert.notInclude(message, "secret")
      }
    })
  )

  it.effect("takes a provider's key, or one for all", () =>
    Effect.gen(function* () {
      for (const spelling of ["cohere:m", "jina:m", "voyage:m", "cohere:m@https://api.cohere.com/v2"]) {
        assert.strictEqual(yield* said(spelling, keys), "")
        assert.strictEqual(yield* said(spelling, { DOCSLUICE_RERANK_API_KEY: "own" }), "")
      }
      assert.match(yield* said("cohere:m", { DOCSLUICE_RERANK_API_KEY: "@nowhere" }), /nowhere cannot be read/u)
    })
  )

  it.scopedLive("never sends a provider's key to another host", () =>
    Effect.gen(function* () {
      const authorization = (environment: Environment) =>
        Effect.gen(function* () {
          const running = yield* Server.start(Server.complete("cohere"), "cohere")
          const reranker = yield* RerankerTarget.ofSpelling(`cohere:m@${running.base}`, { environment })
          if (reranker === "none") return assert.fail("there is no reranker")
          yield* reranker.rerank("gauge", ["a gauge"])
          return running.asked.map((asked) => asked.authorization)
        }).pipe(Effect.provide(NodeContext.layer))
      assert.deepStrictEqual(yield* authorization(keys), [undefined])
      assert.deepStrictEqual(yield* authorization({ ...keys, DOCSLUICE_RERANK_API_KEY: "own" }), ["Bearer own"])
    })
  )
})
