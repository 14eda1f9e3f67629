import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { complete, type Settings, variable } from "../../src/cli/Argv.ts"

const flags = [
  { name: "to", kind: "list" },
  { name: "max-tokens", kind: "value" },
  { name: "gitignore", kind: "switch" },
  { name: "api-key", kind: "value", secret: true }
] as const

const none: Settings = { environment: {}, file: null }

/** The flags in the order of their names above, and the operands after `--`; a switch that is off is left out. */
const words = (given: ReadonlyArray<string>, settings: Settings = none) => {
  const { operands, texts } = Either.getOrThrow(complete(given, flags, settings))
  const options = flags.flatMap(({ kind, name }) =>
    (texts.get(name) ?? []).flatMap((text) =>
      kind === "switch" ? (text === "true" ? [`--${name}`] : []) : [`--${name}`, text]
    )
  )
  return [...options, ...(operands.length > 0 ? ["--", ...operands] : [])]
}

const problem = (given: ReadonlyArray<string>, settings: Settings = none) =>
  Either.match(complete(given, flags, settings), { onLeft: (error) => error.message, onRight: () => "" })

describe("Argv", () => {
  it("takes options before, between and after the paths", () => {
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

  it("refuses a flag that is given twice unless it is a list, and repeats no value", () => {
    for (const given of [
      ["--api-key", "first", "--api-key", "second", "docs"],
      ["--api-key=first", "docs", "--api-key=second"],
      ["docs", "--max-tokens", "first", "--max-tokens=second"],
      ["--gitignore", "docs", "--gitignore=false"],
      ["--gitignore=second", "docs"]
    ]) {
      assert.match(
        problem(given),
        /^--[a-z-]+ (is given twice, and (takes one value|is meant once); give it once|takes no value)/
      )
      assert.notMatch(problem(given), /first|second/)
    }
    assert.deepStrictEqual(words(["--to", "a", "--to", "b"]), ["--to", "a", "--to", "b"])
  })

  it("refuses a list for a flag that takes one value, from the file too, and repeats no value", () => {
    const file = { path: "docsluice.config.json", values: { "api-key": ["first", "second"] } }
    assert.match(problem([], { environment: {}, file }), /docsluice\.config\.json: api-key: expected a text/)
    assert.notMatch(problem([], { environment: {}, file }), /first|second/)
  })

  it("refuses a key that stands among the paths, wherever it was given", () => {
    const file = { path: "docsluice.config.json", values: { "api-key": "sk-1" } }
    for (const [given, settings] of [
      [["docs", "--api-key", "sk-1", "sk-1"], none],
      [["docs", "--", "sk-1"], { environment: { DOCSLUICE_API_KEY: "sk-1" }, file: null }],
      [["sk-1"], { environment: {}, file }]
    ] as const) {
      assert.match(problem(given, settings), /the value of --api-key is given as an argument too/)
      assert.notInclude(problem(given, settings), "sk-1")
    }
    assert.strictEqual(problem(["none", "--api-key", "none"]), "")
    assert.strictEqual(problem(["@key", "--api-key", "@key"]), "")
  })

  it("takes everything after -- for a path", () => {
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
    assert.deepStrictEqual(words(["--max-tokens", "1", "--to", "x"], settings), ["--to", "x", "--max-tokens", "1"])
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
