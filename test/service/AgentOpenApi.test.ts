import { assert, describe, it } from "@effect/vitest"
import { catalogue } from "docsluice/service/AgentClient"
import { openApiDocument as document } from "docsluice/service/Server"
import { Effect } from "effect"
import { startAgents, unknown } from "./agentFixture.ts"
import { request } from "./serverFixture.ts"

const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith("/v2/agent"))
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))

const described = (operation: object | undefined, status: number): string =>
  operation !== undefined && "responses" in operation
    ? (JSON.stringify(operation.responses).split(`"${status}":`)[1] ?? "")
    : ""

describe("the OpenAPI document of agent jobs", () => {
  it("has every endpoint, and names every agent row with its status", () => {
    assert.sameMembers(
      operations.map(({ method, path }) => `${method} ${path}`),
      [
        "post /v2/agent",
        "get /v2/agent/{jobId}",
        "delete /v2/agent/{jobId}",
        "get /v2/agent/{jobId}/trace",
        "get /v2/agent/{jobId}/snapshots/{snapshotId}"
      ]
    )
    for (const { error, status } of Object.values(catalogue)) {
      assert.isTrue(
        operations.some(({ operation }) => described(operation, status).includes(error)),
        error
      )
    }
  })

  it.scopedLive("describes the answers of a server to a job that is not there and to a wrong body", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      for (const { method, operation, path } of operations) {
        const url = `${base}${path.replace("{jobId}", unknown).replace("{snapshotId}", unknown)}`
        const { body, status } = yield* request(url, {
          method: method.toUpperCase(),
          headers: { authorization: "Bearer a", "content-type": "application/json" },
          ...(method === "post" && { body: "{}" })
        })
        assert.strictEqual(status, method === "post" ? 400 : 404)
        const error = typeof body === "object" && body !== null && "error" in body ? String(body.error) : ""
        if (method !== "post") assert.include(described(operation, status), error)
      }
    })
  )
})
