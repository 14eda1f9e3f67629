import { assert } from "@effect/vitest"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import type { Case } from "./exchange.ts"

const address = "ada.byron@example.com"

const bytes = new TextEncoder().encode(`<main><h1>Note</h1><p>Write to ${address} about the gauge.</p></main>`)

/** The option is honoured in every member. */
const honoured =
  (replaced: RegExp): Case["ends"] =>
  (ending) => {
    assert.strictEqual(ending.status, 200, ending.error)
    assert.notInclude(JSON.stringify(ending.data), address)
    assert.match(ending.data?.markdown ?? "", replaced)
  }

const redacting = (
  title: string,
  rows: ReadonlyArray<string>,
  redactPII: ParseOptions["redactPII"],
  replaced: RegExp
): Case => ({
  title,
  rows,
  server: "without a model",
  bytes,
  options: { redactPII, formats: [{ type: "markdown" }, { type: "html" }] },
  ends: honoured(replaced)
})

const tag = /Write to (?:<|\\<|&lt;)EMAIL(?:>|\\>|&gt;) about the gauge/

/** Uploads for the rows of redaction. */
export const redactionCases: ReadonlyArray<Case> = [
  redacting("redactPII leaves nothing of an e-mail address", ["ParseOptions: redactPII"], true, tag),
  ...(["accurate", "aggressive", "fast"] as const).map((mode) =>
    redacting(
      `redactPII of mode ${mode} leaves nothing of an e-mail address`,
      ["RedactPIIOptions: mode"],
      { mode },
      tag
    )
  ),
  redacting(
    "redactPII of e-mail addresses alone leaves nothing of one",
    ["RedactPIIOptions: entities"],
    { mode: "fast", entities: ["EMAIL"] },
    tag
  ),
  redacting(
    "redactPII of style mask writes asterisks",
    ["RedactPIIOptions: replaceStyle"],
    { mode: "fast", replaceStyle: "mask" },
    /Write to (?:\\?\*)+ about the gauge/
  ),
  redacting(
    "redactPII of style remove writes nothing",
    ["RedactPIIOptions: replaceStyle"],
    { mode: "fast", replaceStyle: "remove" },
    /Write to {1,2}about the gauge/
  )
]
