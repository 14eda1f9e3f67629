import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { SinkError } from "docsluice/ChunkSink"
import { commandLine, render } from "../../../src/internal/base/message.ts"
import * as Remedies from "../../../src/internal/base/remedies.ts"
import { ofPage } from "../../../src/internal/base/remedyTable.ts"
import * as Refused from "../../../src/internal/look/refused.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Identifiers and tags of the classes of errors that the sources declare. */
const declared = ["src", "sinks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .flatMap(({ name, parentPath }) =>
      Array.from(
        readFileSync(join(parentPath, name), "utf8").matchAll(
          /extends (?:Schema\.TaggedError|answered)<\w+>\(\s*(?:"([^"]+)"\s*)?\)\(\s*"(\w+)"/gu
        ),
        ([, identifier, tag = ""]) => ({ identifier: identifier ?? `docsluice/${tag}`, tag })
      )
    )
)

const isPublic = ({ identifier }: { readonly identifier: string }): boolean =>
  !/^docsluice\/(?:cli|engine|internal|look)\//u.test(identifier)

/** Tags that runs give without a class. */
const ofRuns = ["Defect"]

/** Refusals of the page that a service or a run has too, and calls that it does not have. */
const ofService = ["FileTooLarge", "NotFound", "OptionError", "UnsupportedFile"]

/** Errors of the page and of searches on it, by their tags. */
const onPage = [...Object.keys(Refused.statuses), ...Object.keys(Refused.statusesOfStore), "SinkError"]

describe("remedies", () => {
  it("has one for every public error and no other", () => {
    const tags = declared.filter(isPublic).map(({ tag }) => tag)
    assert.isAbove(tags.length, 50)
    assert.deepStrictEqual([...Remedies.remedies.keys()].toSorted(), [...tags, ...ofRuns].toSorted())
  })

  it("says it in one line, without a full stop", () => {
    for (const [tag, { page = "see there", pageByReason = {}, remedy, what }] of Remedies.remedies) {
      for (const message of [what, remedy, page, ...Object.values(pageByReason)]) {
        assert.match(render(message, commandLine), /^[^\n]{5,140}[^.\s]$/u, tag)
      }
    }
  })

  it("has one for every error of the page, but where the message says all, and no other of the page's own", () => {
    const silent = Object.entries(ofPage).flatMap(([tag, remedy]) => (remedy === null ? [tag] : []))
    assert.deepStrictEqual(silent, ["PageUnknown", "FigureUnknown", "QueryRefused"])
    const without = onPage.filter((tag) => Remedies.pageRemedyOf({ _tag: tag }) === null)
    // The remedy of a hit without pages is its own.
    assert.sameMembers(without, [...silent, "HitMissing"])
    const own = Object.keys(Refused.statuses).filter((tag) => !ofService.includes(tag))
    assert.includeMembers(Object.keys(ofPage), own)
    assert.deepStrictEqual(
      Object.keys(ofPage).filter((tag) => !onPage.includes(tag)),
      []
    )
    for (const tag of ofService) assert.isTrue(Remedies.remedies.has(tag), tag)
  })

  it("has one for every reason of a store that refuses a search on the page", () => {
    const of = (reason: string) => Remedies.pageRemedyOf({ _tag: "SinkError", reason })
    const said = new Set(SinkError.fields.reason.literals.map(of))
    assert.strictEqual(said.size, SinkError.fields.reason.literals.length)
    assert.isFalse(said.has(of("Another")))
  })

  it("names options as flags on the command line, and by their labels on the page, as a sentence", () => {
    assert.strictEqual(Remedies.remedyOf("ChunkingError"), "try another --chunker, or a greater --max-tokens")
    assert.strictEqual(Remedies.pageRemedyOf({ _tag: "ChunkingError" }), "Raise Max tokens, or take another Chunker.")
    assert.strictEqual(
      Remedies.remedyOf("BudgetSpent"),
      "raise --budget-pages or --budget-credits, or run again for as much again"
    )
  })

  it("tells a tag that is not of this package by its name", () => {
    assert.strictEqual(Remedies.remedyOf("constructor"), null)
    assert.strictEqual(Remedies.pageRemedyOf({ _tag: "constructor" }), null)
    assert.strictEqual(Remedies.of("constructor", true).what, "failed with constructor")
    assert.notStrictEqual(Remedies.of("Other", true).remedy, Remedies.of("Other", false).remedy)
  })
})
