import { assert, it } from "@effect/vitest"
import { FileUnreadable, fromBytes } from "docsluice/SourceFile"
import { Schema } from "effect"
import { Report, reportOf } from "../../src/internal/queue/message.ts"
import { outcomeOfReport } from "../../src/internal/queue/results.ts"
import { namesOf, failed } from "../../src/internal/run/outcome.ts"

const file = fromBytes({ root: "docs", path: "a.pdf", bytes: new Uint8Array(1) })
const arrived = (sent: unknown) => outcomeOfReport(file, Schema.decodeUnknownSync(Report)(sent))
const former = { _tag: "Failed", source: "a.pdf", contentHash: null, retryable: true, attempts: 2 }

it("a worker's report of a failure brings the error itself", () => {
  const outcome = failed(namesOf(file), new FileUnreadable({ path: "a.pdf", reason: "Io", cause: new Error("secret") }))
  const sent: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(Report)(reportOf(outcome))))
  assert.notInclude(JSON.stringify(sent), "secret")
  const { error, ...rest } = outcome
  const read = arrived(sent)
  assert.deepInclude(read, rest)
  assert.instanceOf(read._tag === "Failed" ? read.error : null, FileUnreadable)
  assert.include(JSON.stringify(sent), `"tag":"${error._tag}","message":"${error.message}"`)
})

it("a report of another version, with tag and message alone or with an error that is not known here, is read as Foreign", () => {
  for (const more of [{}, { error: { _tag: "Later", reason: "new" } }]) {
    const read = arrived({ ...former, tag: "Later", message: "of a later version", ...more })
    assert.deepInclude(read, { documentId: file.documentId, root: "docs", tag: "Later", retryable: true, attempts: 2 })
    assert.deepInclude(read._tag === "Failed" ? read.error : null, {
      _tag: "Foreign",
      tag: "Later",
      message: "of a later version"
    })
  }
})
