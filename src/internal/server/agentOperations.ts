import type * as OpenApi from "@effect/platform/OpenApi"
import * as OpenApiJsonSchema from "@effect/platform/OpenApiJsonSchema"
import * as Schema from "effect/Schema"
import * as ServiceError from "../../service/ServiceError.ts"
import * as AgentError from "../client/agentError.ts"
import * as AgentJob from "../client/agentJob.ts"

/** The members that this server takes; any other is refused. */
const Request = AgentJob.AgentRequest.pipe(
  Schema.pick("prompt", "schema", "maxCredits", "model", "origin", "integration")
)

const Cancelled = Schema.Struct({ success: Schema.Boolean })

/** The schema in place, without references to definitions. */
const schemaOf = <A, I>(schema: Schema.Schema<A, I>, additionalPropertiesStrategy: "strict" | "allow") =>
  OpenApiJsonSchema.makeWithDefs(schema, {
    defs: {},
    topLevelReferenceStrategy: "skip",
    additionalPropertiesStrategy
  })

type AgentTag = keyof typeof AgentError.catalogue

type GeneralTag = keyof typeof ServiceError.catalogue

/** Rows of the general catalogue that any operation may answer. */
const general: ReadonlyArray<GeneralTag> = [
  "Unauthorized",
  "Forbidden",
  "RequestTimeout",
  "RateLimitExceeded",
  "InternalServerError",
  "ServiceUnavailable"
]

interface Operation {
  readonly id: string
  readonly summary: string
  readonly parameters: ReadonlyArray<"jobId" | "snapshotId">
  readonly body?: OpenApiJsonSchema.JsonSchema
  readonly answer: OpenApiJsonSchema.JsonSchema
  readonly rows: ReadonlyArray<AgentTag>
  /** Rows of the general catalogue besides those of every operation. */
  readonly more?: ReadonlyArray<GeneralTag>
}

const content = (schema: OpenApiJsonSchema.JsonSchema) => ({ "application/json": { schema } })

const errorsOf = ({ more = [], rows }: Operation): OpenApi.OpenAPISpecResponses => {
  const texts = new Map<number, ReadonlyArray<string>>()
  const all = [
    ...rows.map((tag) => AgentError.catalogue[tag]),
    ...[...general, ...more].map((tag) => ServiceError.catalogue[tag])
  ]
  for (const { error, status } of all) texts.set(status, [...(texts.get(status) ?? []), error])
  return Object.fromEntries(
    [...texts].map(([status, errors]) => [
      status,
      { description: errors.join("; "), content: content({ $ref: "#/components/schemas/Error" }) }
    ])
  )
}

const operationOf = (operation: Operation): OpenApi.OpenAPISpecOperation => ({
  operationId: `agent.${operation.id}`,
  summary: operation.summary,
  tags: ["agent"],
  security: [{ bearer: [] }],
  parameters: operation.parameters.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" }
  })),
  ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
  responses: { ...errorsOf(operation), 200: { description: "Success", content: content(operation.answer) } }
})

const found = ["InvalidJobId", "AgentJobNotFound"] as const satisfies ReadonlyArray<AgentTag>

/** The agent endpoints as operations of an OpenAPI document, by path. Answers may have more members than are named. */
export const paths: OpenApi.OpenAPISpecPaths = {
  "/v2/agent": {
    post: operationOf({
      id: "submit",
      summary: "Submit an agent job",
      parameters: [],
      body: schemaOf(Request, "strict"),
      answer: schemaOf(AgentJob.AgentSubmitted, "allow"),
      rows: ["ZeroDataRetentionConflict", "AgentPassthroughFailed"],
      more: ["BadRequest", "PaymentRequired", "PayloadTooLarge", "UnprocessableEntity"]
    })
  },
  "/v2/agent/{jobId}": {
    get: operationOf({
      id: "status",
      summary: "State and result of an agent job",
      parameters: ["jobId"],
      answer: schemaOf(AgentJob.AgentJob, "allow"),
      rows: found
    }),
    delete: operationOf({
      id: "cancel",
      summary: "Cancel an agent job",
      parameters: ["jobId"],
      answer: schemaOf(Cancelled, "allow"),
      rows: [...found, "AgentAlreadyFinished", "AgentAlreadyCancelled"]
    })
  },
  "/v2/agent/{jobId}/trace": {
    get: operationOf({
      id: "trace",
      summary: "Events of an agent job",
      parameters: ["jobId"],
      answer: schemaOf(AgentJob.Trace, "allow"),
      rows: [...found, "TraceUnavailable"]
    })
  },
  "/v2/agent/{jobId}/snapshots/{snapshotId}": {
    get: operationOf({
      id: "snapshot",
      summary: "A version of an artifact of an agent job",
      parameters: ["jobId", "snapshotId"],
      answer: schemaOf(AgentJob.Snapshot, "allow"),
      rows: [...found, "InvalidSnapshotId", "SnapshotsUnavailable", "SnapshotNotFound"]
    })
  }
}
