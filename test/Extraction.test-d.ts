import { type Extraction, Parser } from "docsluice"
import * as Async from "docsluice/Async"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import type { SourceFile } from "docsluice/SourceFile"
import { type Effect, Schema } from "effect"
import { expectTypeOf } from "vitest"
import { z } from "zod/v4"

declare const file: SourceFile
declare const anyOptions: ParseOptions

const Invoice = Schema.Struct({ number: Schema.String, issued: Schema.Date })

/** The value has the decoded type of the schema, whatever kind of schema it is. */
expectTypeOf(Parser.extract(file, Invoice)).toExtend<
  Effect.Effect<Extraction.Extraction<typeof Invoice.Type>, unknown, Parser.Parser>
>()
expectTypeOf(Async.extract("a.pdf", Invoice)).resolves.toHaveProperty("value").toEqualTypeOf<typeof Invoice.Type>()
expectTypeOf(Async.extract("a.pdf", z.object({ total: z.number() })))
  .resolves.toHaveProperty("value")
  .toEqualTypeOf<{ total: number }>()
expectTypeOf(Async.extract("a.pdf", { type: "object" }))
  .resolves.toHaveProperty("value")
  .toEqualTypeOf<unknown>()

/** The document has the members of the formats asked for, and no other is certain. */
const page = Async.parse("a.html", { parseOptions: { formats: [{ type: "html" }, { type: "links" }] } })
expectTypeOf(page).resolves.toHaveProperty("html").toEqualTypeOf<string | null>()
expectTypeOf(page).resolves.toHaveProperty("links").toEqualTypeOf<ReadonlyArray<string>>()
expectTypeOf(page).resolves.toHaveProperty("summary").toEqualTypeOf<string | null | undefined>()
expectTypeOf(Async.parse("a.html")).resolves.toEqualTypeOf<ParsedDocument>()
expectTypeOf(Async.parse("a.html", { parseOptions: anyOptions })).resolves.toExtend<ParsedDocument>()
