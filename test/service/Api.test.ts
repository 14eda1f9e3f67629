import { HttpApiClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Api, openApiDocument as document } from "docsluice/service/Server"
import * as ServiceError from "docsluice/service/ServiceError"
import { Effect } from "effect"
import { toBody } from "../../src/internal/server/api.ts"

/** A client derived from the interface, whose service always answers the same. */
const clientOf = (status: number, body: unknown) =>
  HttpApiClient.make(Api, { baseUrl: "http://service.test" }).pipe(
    Effect.provideService(
      HttpClient.HttpClient,
      HttpClient.make((request) =>
        Effect.succeed(
          HttpClientResponse.fromWeb(
            request,
            new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
          )
        )
      )
    )
  )

const refsOf = (value: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g), (match) => match[1] ?? "")

describe("Api", () => {
  it.effect("reads each row of the catalogue back as its own class", () =>
    Effect.gen(function* () {
      for (const [tag, { error, status }] of Object.entries(ServiceError.catalogue)) {
        const client = yield* clientOf(status, { success: false, error, code: "X", details: { field: "x" } })
        const answer = yield* Effect.flip(client.documents.parse({ payload: new FormData() }))
        const found: object = { ...answer }
        assert.deepInclude(found, { _tag: tag, status, error, code: "X", details: { field: "x" } })
      }
    })
  )

  it.effect("reads a 500 with the code of an unparsable document as such", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(500, { success: false, error: "corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
      const answer = yield* Effect.flip(client.documents.parse({ payload: new FormData() }))
      assert.deepInclude({ ...answer }, { _tag: "DocumentUnparsable", error: "corrupt" })
    })
  )

  it("writes an error without its tag and status, and only the members that it has", () => {
    assert.deepStrictEqual(toBody(new ServiceError.Conflict({ status: 409, error: "Conflict" })), {
      success: false,
      error: "Conflict"
    })
    assert.deepStrictEqual(
      toBody(new ServiceError.InternalServerError({ status: 500, error: "the language model did not answer" })),
      { success: false, code: "UNKNOWN_ERROR", error: "the language model did not answer" }
    )
    assert.deepStrictEqual(
      toBody(new ServiceError.BadRequest({ status: 400, error: "x", code: "BAD_REQUEST", details: [1] })),
      { success: false, code: "BAD_REQUEST", error: "x", details: [1] }
    )
  })
})

describe("the OpenAPI document", () => {
  it("refers to no schema that it does not hold, and holds none that nothing refers to", () => {
    assert.sameMembers([...new Set(refsOf(document))], Object.keys(document.components.schemas))
  })

  it("describes the form, the key and every error in the interface's shape", () => {
    const operation = document.paths["/v2/parse"]?.post
    assert.deepStrictEqual(operation?.security, [{ bearer: [] }])
    assert.nestedPropertyVal(
      operation?.requestBody,
      "content.multipart/form-data.schema.properties.file.format",
      "binary"
    )
    assert.nestedProperty(
      operation?.requestBody,
      "content.multipart/form-data.schema.properties.options.contentSchema.properties.parsers"
    )
    for (const [status, response] of Object.entries(operation?.responses ?? {})) {
      if (status === "200") continue
      assert.nestedPropertyVal(response, "content.application/json.schema.$ref", "#/components/schemas/Error", status)
    }
  })
})

describe("the OpenAPI document", () => {
  it("compiles as JSON Schema 2020-12: as a whole, and each schema of an answer", () => {
    const ajv = () => new Ajv2020({ strict: false, validateFormats: false })
    assert.doesNotThrow(() => ajv().addSchema(document, "document"))
    let compiled = 0
    for (const operations of Object.values(document.paths)) {
      for (const { responses } of Object.values(operations)) {
        for (const { content } of Object.values(responses)) {
          const schema = content?.["application/json"]?.schema
          if (schema === undefined) continue
          assert.doesNotThrow(() => ajv().compile({ ...schema, components: document.components }))
          compiled += 1
        }
      }
    }
    assert.isAbove(compiled, 20)
  })

  it("names the server, and says that sourceURL is a file name and how long a user name may be", () => {
    assert.strictEqual(document.servers?.[0]?.url, "/")
    const text = JSON.stringify(document)
    assert.match(text, /"sourceURL":\{[^}]*"description":"The name of the uploaded file; no URI"/u)
    assert.match(text, /"username":\{[^}]*"maxLength":1024/u)
    assert.match(text, /"prompt":\{[^}]*"maxLength":10000/u)
  })
})
