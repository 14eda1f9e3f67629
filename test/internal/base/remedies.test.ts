import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Remedies from "../../../src/internal/base/remedies.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Identifiers and tags of the classes of errors that the sources declare. */
const declared = ["src", "sinks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .flatMap(({ name, parentPath }) =>
      Array.from(
        readFileSync(join(parentPath, name), "utf8").matchAll(
          /extends (?:worded\(\s*)?Schema\.TaggedError<\w+>\(\s*"([^"]+)"\s*\)\(\s*"(\w+)"/gu
        ),
        ([, identifier = "", tag = ""]) => ({ identifier, tag })
      )
    )
)

const isPublic = ({ identifier }: { readonly identifier: string }): boolean =>
  !/^docsluice\/(?:cli|engine|internal|look)\//u.test(identifier)

/** Tags that runs give without a class. */
const ofRuns = ["Defect", "DocumentTruncated", "WorkerLost", "BudgetSpent", "Interrupted"]

describe("remedies", () => {
  it("has one for every public error and no other", () => {
    const tags = declared.filter(isPublic).map(({ tag }) => tag)
    assert.isAbove(tags.length, 50)
    assert.deepStrictEqual(Object.keys(Remedies.remedies).toSorted(), [...tags, ...ofRuns].toSorted())
  })

  it("says it in one line, without a full stop", () => {
    for (const [tag, { remedy, what }] of Object.entries(Remedies.remedies)) {
      for (const words of [what, remedy]) assert.match(words, /^[^\n]{5,140}[^.\s]$/u, tag)
    }
  })

  it("tells a tag that is not of this package by its name", () => {
    assert.strictEqual(Remedies.remedyOf("constructor"), null)
    assert.strictEqual(Remedies.of("constructor", true).what, "failed with constructor")
    assert.notStrictEqual(Remedies.of("Other", true).remedy, Remedies.of("Other", false).remedy)
  })
})
