/** The tools and documents of a corpus over the Model Context Protocol, carried by `@effect/ai`'s `McpServer`. */
import * as McpSchema from "@effect/ai/McpSchema"
import * as McpServer from "@effect/ai/McpServer"
import * as RpcServer from "@effect/rpc/RpcServer"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { packageVersion } from "../base/packageFiles.ts"
import { Progress } from "../tools/settings.ts"
import { ToolError } from "../tools/toolError.ts"
import type { Value } from "../tools/value.ts"
import type { Tools } from "../tools/values.ts"
import type { Transport } from "./protocol.ts"
import * as Resources from "./resources.ts"

/** Calls of tools that run at a time; further ones wait. */
const calls = 16

const toolOf = ({ changes, description, inputSchema, name }: Value): McpSchema.Tool =>
  McpSchema.Tool.make({
    name,
    description,
    inputSchema,
    annotations: McpSchema.ToolAnnotations.make({
      readOnlyHint: changes === "nothing",
      destructiveHint: changes === "removes",
      idempotentHint: true,
      openWorldHint: false
    })
  })

const text = (value: unknown) => McpSchema.TextContent.make({ type: "text", text: JSON.stringify(value) })

/** A picture is a part of its own; all else is JSON, once as text and once as data. */
const resultOf = ({ image, ...value }: Readonly<Record<string, unknown>>): McpSchema.CallToolResult =>
  McpSchema.CallToolResult.make({
    content:
      typeof image === "string"
        ? [
            text(value),
            McpSchema.ImageContent.make({ type: "image", data: Buffer.from(image, "base64"), mimeType: "image/png" })
          ]
        : [text(value)],
    structuredContent: value
  })

const failure = ({ message, next, problem, reason }: ToolError): McpSchema.CallToolResult =>
  McpSchema.CallToolResult.make({
    isError: true,
    content: [McpSchema.TextContent.make({ type: "text", text: `${reason}: ${message}` })],
    structuredContent: { error: { reason, problem, next } }
  })

const broken = new ToolError({
  reason: "Failed",
  problem: "The tool failed for a reason that the server has logged.",
  next: "Tell the user."
})

/** Serves the tools until it is interrupted. */
export const serve = (tools: Tools, transport: Transport): Effect.Effect<never> =>
  Effect.gen(function* () {
    const registry = yield* McpServer.McpServer.make
    const byName = new Map(tools.all.map((tool) => [tool.name, tool]))
    const turns = yield* Effect.makeSemaphore(calls)
    const resources = Resources.make(tools)
    const listed: Array<McpSchema.Resource> = []
    const served = McpServer.McpServer.of({
      ...registry,
      tools: tools.all.map(toolOf),
      resources: listed,
      resourceTemplates: Resources.templates,
      findResource: (uri) => turns.withPermits(1)(resources.read(uri)),
      callTool: (request) =>
        Effect.gen(function* () {
          const tool = byName.get(request.name)
          if (tool === undefined) {
            const names = [...byName.keys()].join(", ")
            return yield* new McpSchema.InvalidParams({ message: `there is no tool of this name; there are ${names}` })
          }
          const { clientId } = yield* McpSchema.McpServerClient
          const token = request._meta?.progressToken
          const call = Effect.match(tool.call(request.arguments), { onSuccess: resultOf, onFailure: failure })
          const told =
            token === undefined
              ? call
              : Effect.provideService(call, Progress, ({ done, message, total }) =>
                  transport.progress(clientId, {
                    progressToken: token,
                    progress: done,
                    ...(total !== null && { total }),
                    message
                  })
                )
          return yield* turns.withPermits(1)(told)
        }).pipe(
          Effect.catchAllDefect((defect) =>
            Effect.as(Effect.logError("a tool failed", Cause.die(defect)), failure(broken))
          )
        )
    })
    const { run } = transport.protocol
    return yield* McpServer.run({ name: "docsluice", version: packageVersion() }).pipe(
      Effect.provideService(McpServer.McpServer, served),
      Effect.provideService(RpcServer.Protocol, {
        ...transport.protocol,
        // The library has the list as a value, and documents come and go.
        run: (take) =>
          run((client, message) =>
            message._tag === "Request" && message.tag === "resources/list"
              ? Effect.flatMap(resources.list, (now) => {
                  listed.splice(0, listed.length, ...now)
                  return take(client, message)
                })
              : take(client, message)
          )
      })
    )
  }).pipe(Effect.scoped)
