import { Effect } from "effect"
import type { OfficeExtension, OfficeJob, OfficeResult } from "../../../src/engine/jobs.ts"
import { Refusal } from "../../../src/engine/lanes/serve.ts"
import * as OfficeParser from "../../../src/engine/office/OfficeParser.ts"
import { treeOptions } from "../documents.ts"

/** The answer of the office parser, in this process. */
export const parsed = (
  bytes: Uint8Array,
  extension: OfficeExtension,
  options: Partial<Pick<OfficeJob, "members" | "pages">> = {}
): Effect.Effect<OfficeResult, Refusal> =>
  Effect.tryPromise({
    try: () => OfficeParser.parse({ kind: "office", bytes, extension, ...treeOptions, ...options }),
    catch: (cause) => (cause instanceof Refusal ? cause : new Refusal("malformed", String(cause)))
  })

/** The Markdown of a document. */
export const markdownOf = (bytes: Uint8Array, extension: OfficeExtension): Effect.Effect<string, Refusal> =>
  Effect.map(parsed(bytes, extension), ({ markdown }) => markdown.trim())
