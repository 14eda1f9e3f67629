/**
 * The interface as an OpenAPI 3.1 document, made from the `HttpApi` value that the server serves, and from the schemas and the
 * catalogue of agent jobs.
 */
import * as OpenApi from "@effect/platform/OpenApi"
import type * as OpenApiJsonSchema from "@effect/platform/OpenApiJsonSchema"
import { catalogue } from "../../service/ServiceError.ts"
import * as agents from "./agentOperations.ts"
import { Api } from "./api.ts"

/** A request with unknown members is refused, so its schemas are closed; answers may have more members than are named. */
const request = OpenApi.fromApi(Api)
const answers = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })

const errorBody: OpenApiJsonSchema.JsonSchema = {
  type: "object",
  required: ["success", "error"],
  properties: {
    success: { type: "boolean", enum: [false] },
    error: { type: "string", description: "Human-readable message; the value to match on" },
    details: { $id: "/schemas/unknown", title: "unknown", description: "Per-field validation errors" },
    code: { type: "string" }
  },
  additionalProperties: true
}

const texts = (status: string): string =>
  Object.values(catalogue)
    .filter((row) => String(row.status) === status)
    .map((row) => row.error)
    .join("; ")

const errorResponse = (status: string): OpenApi.OpenApiSpecResponse => ({
  description: texts(status),
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
})

const file: OpenApiJsonSchema.JsonSchema = { type: "string", format: "binary" }

const form = (body: OpenApi.OpenAPISpecRequestBody | undefined): OpenApi.OpenAPISpecRequestBody => {
  const schema = body?.content["multipart/form-data"]?.schema
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema:
          schema !== undefined && "properties" in schema
            ? { ...schema, properties: { ...schema.properties, file } }
            : { type: "object", required: ["file"], properties: { file } }
      }
    }
  }
}

const operation = request.paths["/v2/parse"]?.post

const responses = Object.entries(answers.paths["/v2/parse"]?.post?.responses ?? {})

/** Takes away the `$id` that schemas of unknown values and of any object have: an id may stand in a document once only. */
const stripIds = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const id: unknown = Reflect.get(value, "$id")
  if (typeof id === "string" && id.startsWith("/schemas/")) Reflect.deleteProperty(value, "$id")
  for (const member of Object.values(value)) stripIds(member)
}

const withoutIds = (spec: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => {
  const copy = structuredClone(spec)
  stripIds(copy)
  return copy
}

/**
 * The answer of `GET /v2/openapi.json`.
 *
 * @since 0.1.0
 * @category constants
 */
export const document: OpenApi.OpenAPISpec = withoutIds({
  ...request,
  servers: [{ url: "/", description: "The server that this document comes from" }],
  tags: [...request.tags, { name: "agent", description: "Questions to documents, as jobs" }],
  components: {
    ...request.components,
    schemas: {
      ...Object.fromEntries(Object.entries(request.components.schemas).filter(([name]) => /^\w*Int$/.test(name))),
      Error: errorBody
    }
  },
  paths: {
    "/v2/parse":
      operation === undefined
        ? {}
        : {
            post: {
              ...operation,
              requestBody: form(operation.requestBody),
              responses: Object.fromEntries(
                responses.map(([status, response]) => [status, status === "200" ? response : errorResponse(status)])
              )
            }
          },
    ...agents.paths
  }
})
