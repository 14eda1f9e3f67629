// Belongs into test/service/ once redaction is there; `honouredOrRefused` of test/service/rows/redaction.ts then loses its first branch.
import { assert, describe } from "@effect/vitest"
import { Firecrawl, type ParseOptions } from "@mendable/firecrawl-js"
import { Context, Effect, Layer } from "effect"
import { sharing } from "../fixtures/sharing.ts"
import { start } from "./serverFixture.ts"

class Official extends Context.Tag("officialRedaction/Official")<Official, Firecrawl>() {}

const official = Layer.scoped(
  Official,
  Effect.map(
    Effect.suspend(() => start({ engine: "native" })),
    (apiUrl) => new Firecrawl({ apiKey: "fc-any", apiUrl })
  )
)

const address = "ada.byron@example.com"

const note = {
  filename: "note.html",
  data: Buffer.from(`<main><h1>Note</h1><p>Write to ${address} about it.</p></main>`)
}

const formats: ParseOptions["formats"] = ["markdown", "html", "rawHtml", "links", "summary"]

describe("the official client, asking for redaction", () => {
  const test = sharing(official)
  for (const redactPII of [
    true,
    {},
    { mode: "accurate" },
    { mode: "aggressive" },
    { mode: "fast", entities: ["EMAIL", "PERSON", "PHONE", "LOCATION", "FINANCIAL", "SECRET"] },
    { mode: "fast", replaceStyle: "tag" },
    { mode: "fast", replaceStyle: "mask" },
    { mode: "fast", replaceStyle: "remove" }
  ] satisfies ReadonlyArray<ParseOptions["redactPII"]>) {
    test(`gets no e-mail address in any member for ${JSON.stringify(redactPII)}`, () =>
      Effect.gen(function* () {
        const client = yield* Official
        const parsed = yield* Effect.promise(() => client.parse(note, { formats, redactPII }))
        assert.notInclude(JSON.stringify(parsed), address)
        assert.match(parsed.markdown ?? "", /Write to \S* ?about it/)
      }))
  }
})
