/** Documents and their pages as resources: `docsluice://documents/ID` and `docsluice://documents/ID/pages/N`, the id percent-encoded. */
import * as McpSchema from "@effect/ai/McpSchema"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { most } from "../tools/contract.ts"
import type { ToolError } from "../tools/toolError.ts"
import type { Value } from "../tools/value.ts"

const prefix = "docsluice://documents/"

const markdown = "text/markdown"

export const templates: ReadonlyArray<McpSchema.ResourceTemplate> = [
  McpSchema.ResourceTemplate.make({
    uriTemplate: `${prefix}{document}`,
    name: "document",
    description: `A document as Markdown, its first ${most.tokens} tokens; {document} is its documentId, percent-encoded.`,
    mimeType: markdown
  }),
  McpSchema.ResourceTemplate.make({
    uriTemplate: `${prefix}{document}/pages/{page}`,
    name: "page",
    description: "A page of a document as Markdown.",
    mimeType: markdown
  })
]

const Listed = Schema.Struct({
  documents: Schema.Array(
    Schema.Struct({ documentId: Schema.String, source: Schema.String, title: Schema.NullOr(Schema.String) })
  )
})

const Read = Schema.Struct({ notice: Schema.String, text: Schema.String, next: Schema.NullOr(Schema.String) })

export interface Resources {
  /** The first documents. */
  readonly list: Effect.Effect<ReadonlyArray<McpSchema.Resource>>
  readonly read: (
    uri: string
  ) => Effect.Effect<typeof McpSchema.ReadResourceResult.Type, McpSchema.InvalidParams | McpSchema.InternalError>
}

const decoded = Option.liftThrowable(decodeURIComponent)

const unknown = (uri: string) =>
  new McpSchema.InvalidParams({
    message: `there is no resource ${uri.slice(0, most.name)}; call the tool list, and take documentId from its result`
  })

/** Resources as the tools give them, so that they have their limits. */
export const make = (tools: Readonly<Record<"list" | "read", Value["call"]>>): Resources => ({
  list: tools.list({ limit: most.documents }).pipe(
    Effect.flatMap(Schema.decodeUnknown(Listed)),
    Effect.map(({ documents }) =>
      documents.map(({ documentId, source, title }) =>
        McpSchema.Resource.make({
          uri: `${prefix}${encodeURIComponent(documentId)}`,
          name: source,
          ...(title !== null && { title }),
          mimeType: markdown
        })
      )
    ),
    Effect.catchAll((error) => Effect.as(Effect.logDebug("no resources", error.message), []))
  ),
  read: (uri) =>
    Effect.gen(function* () {
      const [, id = "", page] = /^docsluice:\/\/documents\/([^/]+)(?:\/pages\/([1-9]\d{0,5}))?$/u.exec(uri) ?? []
      const document = decoded(id)
      if (id === "" || Option.isNone(document)) return yield* unknown(uri)
      const found = yield* tools
        .read({
          source: document.value,
          maxTokens: most.tokens,
          ...(page !== undefined && { pages: { from: Number(page) } })
        })
        .pipe(
          Effect.mapError((error: ToolError) =>
            error.reason === "UnknownDocument" || error.reason === "UnknownPlace"
              ? unknown(uri)
              : new McpSchema.InternalError({ message: error.message })
          ),
          Effect.flatMap((result) => Effect.orDie(Schema.decodeUnknown(Read)(result)))
        )
      const more = found.next === null ? "" : `\n\nThe document goes on: call the tool read with cursor ${found.next}.`
      return { contents: [{ uri, mimeType: markdown, text: `${found.notice}\n\n${found.text}${more}` }] }
    })
})
