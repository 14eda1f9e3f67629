import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as AgentPlace from "../cli/agentPlace.ts"
import * as Providers from "../embedding/providers.ts"
import * as EmbeddingServer from "../embedding/server.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { placedPdf } from "../fixtures/placedPdf.ts"
import { read } from "./pages.ts"
import { agrees, walk } from "./walk.ts"

/** Vectors of the length asked for, otherwise of one that tells the models apart. */
const local = ({ body, input }: EmbeddingServer.Asked): EmbeddingServer.Reaction => {
  const asked = body["dimensions"]
  const length = typeof asked === "number" ? asked : String(body["model"]).length
  return EmbeddingServer.ok(
    input.map((text, index) => ({ index, embedding: EmbeddingServer.vectorOf(text, length) })),
    { model: body["model"] }
  )
}

/** The double of the provider whose address or model is asked for, or a server of the reader's. */
const react = (asked: EmbeddingServer.Asked): EmbeddingServer.Reaction => {
  const model = String(asked.body["model"])
  if (asked.path === "/v2/embed") return Providers.cohere(asked)
  if (asked.path === "/v1beta/openai/embeddings") return Providers.google(asked)
  if (asked.path === "/openai/v1/embeddings") return Providers.azure(asked)
  if (model.startsWith("voyage-")) return Providers.voyage(asked)
  return model === "mistral-embed" ? Providers.mistral(asked) : local(asked)
}

const summary = "A gauge, and when it is cleaned."

let scope: Scope.CloseableScope
let server: EmbeddingServer.EmbeddingServer

beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  server = await Effect.runPromise(Scope.extend(EmbeddingServer.start(react), scope))
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

/** The page's commands, with a double in place of each server. */
const page = (model: string) =>
  read("docs/models.md")
    .replaceAll(/openai:(text-embedding-3-small)(?=\?)/gu, `openai:$1@${server.base}`)
    .replaceAll(/ollama:(nomic-embed-text)(?=\?)/gu, `ollama:$1@${server.base}`)
    .replaceAll("http://127.0.0.1:8081/v1", server.base)
    .replaceAll("openai:qwen3@http://127.0.0.1:11434/v1", model)
    .replaceAll("cohere:embed-v4.0?", `cohere:embed-v4.0@${server.origin}?`)
    .replaceAll("--embedder voyage:voyage-3.5\n", `--embedder voyage:voyage-3.5@${server.base}\n`)
    .replaceAll(/https:\/\/(?:generativelanguage\.googleapis|RESOURCE\.openai\.azure)\.com(?=\/)/gu, server.origin)
    .replaceAll("https://api.mistral.ai/v1", server.base)
    .replaceAll(
      /^export (?:COHERE|VOYAGE|DOCSLUICE_EMBEDDER)_API_KEY=.*$/gmu,
      `export DOCSLUICE_EMBEDDER_API_KEY=${Providers.key}`
    )
    // A model on another server than its provider's has to be named again.
    .replaceAll(
      "--to libsql:openai.db\n",
      `--to libsql:openai.db --embedder 'openai:text-embedding-3-small@${server.base}?dimensions=512'\n`
    )
    .replaceAll(
      "--to libsql:cohere.db\n",
      `--to libsql:cohere.db --embedder 'cohere:embed-v4.0@${server.origin}?dimensions=512'\n`
    )
    .replaceAll("--to libsql:voyage.db\n", `--to libsql:voyage.db --embedder voyage:voyage-3.5@${server.base}\n`)

describe("docs/models.md", () => {
  it("its commands succeed against servers of embeddings, and another model is refused", async () => {
    const model = await Effect.runPromise(
      Scope.extend(
        AgentPlace.model(() => ({ text: summary })),
        scope
      )
    )
    const steps = await walk(page(model.target), commandLine(), {
      env: { DOCSLUICE_EMBEDDER_API_KEY: "", OPENAI_API_KEY: "" },
      files: { "report.pdf": placedPdf([{ lines: [{ text: "The gauge is cleaned in May", x: 72, y: 90 }] }]) }
    })
    for (const { commands, printed, shown } of steps) {
      assert(shown === undefined || agrees(shown, printed), `${commands}printed:\n${printed}`)
    }
    const asked = server.asked.map(({ body, input }) => `${String(body["model"])}: ${input.join()}`)
    for (const text of [
      ...["embed-v4.0", "voyage-3.5", "gemini-embedding-001", "mistral-embed", "my-deployment"].map(
        (model) => `${model}: how often are gauges cleaned`
      ),
      "nomic-embed-text: search_query: how often are gauges cleaned",
      "text-embedding-3-small: how often are gauges cleaned"
    ]) {
      assert.include(asked, text)
    }
    assert.isTrue(asked.some((text) => text.startsWith("nomic-embed-text: search_document: ")))
    assert.isTrue(asked.some((text) => text.startsWith("BAAI/bge-m3: ")))
    assert.include(steps.at(-1)?.printed, summary)
    const kinds = server.asked.flatMap(({ body }) => body["input_type"] ?? [])
    assert.deepStrictEqual(new Set(kinds), new Set(["search_document", "search_query", "document", "query"]))
    assert.strictEqual(steps.length, 13)
  })
})
