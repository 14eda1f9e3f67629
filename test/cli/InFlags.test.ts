import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { DiscoveryError } from "docsluice/Discovery"
import { OptionError } from "docsluice/OptionError"
import { Summary } from "docsluice/Outcome"
import { all, inFlags, ofSummary } from "../../src/cli/InFlags.ts"
import * as RunFlags from "../../src/cli/RunFlags.ts"
import { ofOption } from "../../src/cli/UsageError.ts"
import * as Total from "../../src/internal/run/total.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What only people at the command line read: its own texts, the page that it serves, words of remedies, and queries of its searches. */
const ofCommands = [
  "src/cli/",
  "src/view/",
  "src/internal/look/",
  "src/internal/base/remedies.ts",
  "src/internal/target/queryVector.ts"
]

/** Files of `src` and `sinks` that a program runs without the command line. */
const files = ["src", "sinks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => ![...ofCommands, "src/engine/"].some((place) => file.startsWith(join(root, place))))
)

/** A command in backticks, `docsluice serve --cors`, or the flag of a bundler: it says whose flag it is. */
const command = /\\?`docsluice [^`]*`|esbuild --[a-z]+/gu

const comment = /^\s*(?:\*|\/[/*]).*$/gmu

describe("texts of the library", () => {
  it("name options, and a flag only next to the command that has it", () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(file, "utf8").replaceAll(comment, "").replaceAll(command, "")
      return Array.from(text.matchAll(/--[a-z][a-z-]+/gu), ([flag]) => `${file}: ${flag}`)
    })
    assert.deepStrictEqual(found, [])
  })

  it("name options that the command line knows as flags", () => {
    assert.isAbove(all.length, 5)
    const flags = new Set(RunFlags.spellings.map(({ name }) => `--${name}`))
    assert.deepStrictEqual(
      all.filter((flag) => !flags.has(flag)),
      []
    )
  })

  it("get flags on the command line, and keep other texts in backticks", () => {
    assert.strictEqual(
      inFlags('own it with `claim: "adopt"`, or use `rebuild` on `chunks`'),
      "own it with --adopt, or use --rebuild on `chunks`"
    )
    const outside = new DiscoveryError({ reason: "OutsideRoot", argument: "../x", remedy: "/data" })
    assert.strictEqual(outside.message, "../x: outside of the root; use `root` /data")
    assert.strictEqual(inFlags(outside.message), "../x: outside of the root; use --root /data")
  })

  it("get flags in what this package says, and nowhere in what a service or a document says", () => {
    const said = "unknown field `name`; use `root`"
    const summary = ofSummary(
      Summary.make({
        ...Total.nothing,
        stopped: { tag: "LedgerError", message: "use `rebuild`" },
        failures: [{ source: "a.pdf", tag: "BadRequest", message: said, retryable: false }],
        warnings: [
          { source: "a.pdf", message: said },
          { source: "docs", message: "allow removals (`allowRemovals`)" }
        ]
      }),
      "docs"
    )
    assert.strictEqual(summary.stopped?.message, "use --rebuild")
    assert.deepStrictEqual(
      [...summary.failures, ...summary.warnings].map(({ message }) => message),
      [said, said, "allow removals (--allow-removals)"]
    )
    assert.strictEqual(
      ofSummary(Summary.make({ ...summary, stopped: { tag: "EmbeddingError", message: said } }), "docs").stopped
        ?.message,
      said
    )
  })

  it("name the option of an unusable value, which the command line shows as its flag", () => {
    const error = new OptionError({ option: "maxTokens", problem: "expected a number" })
    assert.strictEqual(error.message, "maxTokens: expected a number")
    assert.strictEqual(ofOption(error).problem, "--max-tokens: expected a number")
    const part = new OptionError({ option: "to", part: "pgvector", problem: "below `maxTokens`" })
    assert.strictEqual(ofOption(part).problem, "--to pgvector: below --max-tokens")
  })
})
