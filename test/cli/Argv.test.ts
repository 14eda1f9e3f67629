import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { complete, type Settings, variable } from "../../src/cli/Argv.ts"

const flags = [
  { name: "to", kind: "list" },
  { name: "max-tokens", kind: "value" },
  { name: "gitignore", kind: "switch" }
] as const

const none: Settings = { environment: {}, file: null }

const words = (given: ReadonlyArray<string>, settings: Settings = none) =>
  Either.getOrThrow(complete(given, flags, settings))

const problem = (given: ReadonlyArray<string>, settings: Settings = none) =>
  Either.match(complete(given, flags, settings), { onLeft: (error) => error.message, onRight: () => "" })

describe("Argv", () => {
  it("takes options before, between and behind the paths", () => {
    const expected = ["--to", "jsonl:a", "--gitignore", "--", "docs", "more"]
    assert.deepStrictEqual(words(["--to", "jsonl:a", "docs", "--gitignore", "more"]), expected)
    assert.deepStrictEqual(words(["docs", "more", "--to=jsonl:a", "--gitignore"]), expected)
  })

  it("keeps an equals sign inside a value", () => {
    assert.deepStrictEqual(words(["--to=pgvector:postgres://h/d?a=b"]), ["--to", "pgvector:postgres://h/d?a=b"])
  })

  it("refuses a misspelt flag instead of taking it for a path", () => {
    assert.match(problem(["docs", "--max-token", "5"]), /unknown option --max-token/)
    assert.match(problem(["-x"]), /unknown option -x/)
  })

  it("takes everything behind -- for a path", () => {
    assert.deepStrictEqual(words(["--", "--to", "-x"]), ["--", "--to", "-x"])
  })

  it("says that a flag lacks its value", () => {
    assert.match(problem(["docs", "--to"]), /--to needs a value/)
  })

  it("prefers the flag over the environment and the environment over the file", () => {
    const settings: Settings = {
      environment: { DOCSLUICE_MAX_TOKENS: "2" },
      file: { path: "docsluice.config.json", values: { "max-tokens": 3, to: ["fs:a", "fs:b"] } }
    }
    assert.deepStrictEqual(words(["--max-tokens", "1", "--to", "x"], settings), ["--max-tokens", "1", "--to", "x"])
    assert.deepStrictEqual(words([], settings), ["--to", "fs:a", "--to", "fs:b", "--max-tokens", "2"])
    assert.deepStrictEqual(words([], { ...settings, environment: {} }), [
      "--to",
      "fs:a",
      "--to",
      "fs:b",
      "--max-tokens",
      "3"
    ])
  })

  it("reads a switch from the environment and from the file", () => {
    const file = { path: "docsluice.config.yaml", values: { gitignore: true } }
    assert.deepStrictEqual(words([], { environment: {}, file }), ["--gitignore"])
    assert.deepStrictEqual(words([], { environment: { DOCSLUICE_GITIGNORE: "false" }, file }), [])
  })

  it("names the file and the field of a bad setting", () => {
    const file = { path: "docsluice.config.yaml", values: { gitignore: "maybe" } }
    assert.match(problem([], { environment: {}, file }), /docsluice\.config\.yaml: gitignore: expected true or false/)
  })

  it("spells the environment's name of a flag", () => {
    assert.strictEqual(variable("max-bytes-in-flight"), "DOCSLUICE_MAX_BYTES_IN_FLIGHT")
  })
})
