import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { SinkError } from "docsluice/ChunkSink"
import { OptionError } from "docsluice/Corpus"
import { DiscoveryError } from "docsluice/Discovery"
import { LedgerError } from "docsluice/Ledger"
import { Foreign, Summary } from "docsluice/Outcome"
import * as Plan from "docsluice/Plan"
import { SourceUnavailable } from "docsluice/Source"
import { Schema } from "effect"
import { flags } from "../../src/cli/flags.ts"
import { ofOption } from "../../src/cli/UsageError.ts"
import * as Words from "../../src/cli/Words.ts"
import * as Message from "../../src/internal/base/message.ts"
import { option, said, text } from "../../src/internal/base/message.ts"
import { flagOf } from "../../src/internal/base/optionNames.ts"
import * as Total from "../../src/internal/run/total.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What only people at the command line read: its own texts, the page that it serves, and flags that are no names. */
const ofCommands = [
  "src/cli/",
  "src/view/",
  "src/internal/look/",
  "src/internal/base/remedyTable.ts",
  "src/internal/base/optionNames.ts"
]

/** Files of `src` and `sinks` that a program runs without the command line. */
const files = ["src", "sinks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => ![...ofCommands, "src/engine/"].some((place) => file.startsWith(join(root, place))))
)

/**
 * A command in backticks, `docsluice serve --cors`, the flag of a bundler or of git: it says whose flag it is. An argument of another program
 * is a literal of its own.
 */
const command = /\\?`docsluice [^`]*`|esbuild --[a-z]+|git config [^)]*|"--[a-z][a-z-]+(?:=[^"]*)?"/gu

/** Options that the texts name, with the value that they tell to give. */
const named: ReadonlyArray<readonly [name: string, value: string | undefined]> = files.flatMap((file) =>
  Array.from(
    readFileSync(file, "utf8").matchAll(/\boption\("([\w.]+)"(?:, "(\w+)")?\)/gu),
    ([, name = "", value]) => [name, value] as const
  )
)

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
    assert.isAbove(named.length, 15)
    const known = new Set(Object.values(flags).map(({ name }) => `--${name}`))
    assert.deepStrictEqual(
      named.map(([name, value]) => flagOf(name, value).split(" ")[0] ?? "").filter((flag) => !known.has(flag)),
      []
    )
  })

  it("get flags on the command line, members in a program and labels on the page", () => {
    const message = text`own it with ${option("claim", "adopt")}, ${option("rebuild")} \`chunks\`, or lower ${option("maxTokens")}`
    assert.strictEqual(
      Message.render(message),
      'own it with `claim: "adopt"`, `rebuild` `chunks`, or lower `maxTokens`'
    )
    assert.strictEqual(
      Message.render(message, Message.commandLine),
      "own it with --adopt, --rebuild `chunks`, or lower --max-tokens"
    )
    assert.match(Message.render(message, Message.page), /lower Max tokens$/u)
    const outside = new DiscoveryError({ reason: "OutsideRoot", argument: "../`root`", remedy: "/data" })
    assert.strictEqual(outside.message, "../`root`: outside of the root; use `root` /data")
    assert.strictEqual(Words.of(outside), "../`root`: outside of the root; use --root /data")
  })

  it("keep what a server, a file or a database says as it was said, whatever it looks like", () => {
    const words = "unknown field `name`; use `root`, --state or `mode`"
    const errors = [
      new SinkError({ sink: "qdrant", reason: "Rejected", problem: words }),
      new SourceUnavailable({ source: "s3://bucket", reason: "Failed", problem: words }),
      new LedgerError({
        directory: "state",
        reason: "Corrupted",
        ...Message.problem(text`run with ${option("rebuild")} (${said(words)})`)
      })
    ]
    assert.deepStrictEqual(
      errors.map(({ message }) => message),
      [`qdrant: ${words}`, `s3://bucket: ${words}`, `state: run with \`rebuild\` (${words})`]
    )
    assert.deepStrictEqual(errors.map(Words.of), [
      `qdrant: ${words}`,
      `s3://bucket: ${words}`,
      `state: run with --rebuild (${words})`
    ])
    for (const error of errors) {
      const stored = Schema.decodeUnknownSync(Summary)(
        JSON.parse(
          JSON.stringify(
            Schema.encodeSync(Summary)(
              Summary.make({ ...Total.nothing, stopped: { tag: error._tag, ...Message.wordsOf(error) } })
            )
          )
        )
      )
      assert.strictEqual(stored.stopped?.message, error.message)
      assert.strictEqual(Words.ofSummary(stored).stopped?.message, Words.of(error))
      assert.include(Message.inWordsOf(Message.page, error), words)
    }
  })

  it("get flags in a summary where it names options, and nowhere else", () => {
    const words = "unknown field `name`; use `root`"
    const summary = Words.ofSummary(
      Summary.make({
        ...Total.nothing,
        stopped: { tag: "LedgerError", ...Message.worded(text`use ${option("rebuild")}`) },
        failures: [
          {
            source: "a.pdf",
            error: new Foreign({ tag: "BadRequest", message: words }),
            tag: "BadRequest",
            message: words,
            retryable: false
          }
        ],
        warnings: [
          { source: "docs", message: words },
          { source: "docs", ...Message.worded(text`allow removals (${option("allowRemovals")})`) }
        ]
      })
    )
    assert.strictEqual(summary.stopped?.message, "use --rebuild")
    assert.deepStrictEqual(
      [...summary.failures, ...summary.warnings].map(({ message }) => message),
      [words, words, "allow removals (--allow-removals)"]
    )
    assert.deepStrictEqual(Words.ofSummary(summary), summary)
  })

  it("are read in summaries and plans of earlier versions, whose messages are texts", () => {
    const old = {
      ...Schema.encodeSync(Summary)(Summary.make({ ...Total.nothing })),
      stopped: { tag: "X", message: "`to`" }
    }
    assert.deepStrictEqual(Words.ofSummary(Schema.decodeUnknownSync(Summary)(old)).stopped, {
      tag: "X",
      message: "`to`"
    })
    const file = Schema.decodeUnknownSync(Plan.PlannedFile)({
      source: "a.md",
      action: "kept",
      reason: "only with `to`"
    })
    assert.strictEqual(file.reason, "only with `to`")
  })

  it("name the option of an unusable value, which the command line shows as its flag", () => {
    const error = new OptionError({ option: "maxTokens", problem: "expected a number" })
    assert.strictEqual(error.message, "maxTokens: expected a number")
    assert.strictEqual(ofOption(error).problem, "--max-tokens: expected a number")
    const part = new OptionError({
      option: "to",
      part: "pgvector",
      ...Message.problem(text`below ${option("maxTokens")}`)
    })
    assert.strictEqual(part.message, "to pgvector: below `maxTokens`")
    assert.strictEqual(ofOption(part).problem, "--to pgvector: below --max-tokens")
  })
})
