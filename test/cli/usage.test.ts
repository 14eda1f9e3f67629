import { assert, describe, it } from "@effect/vitest"
import { commands, names } from "../../src/cli/commands.ts"
import { runHere } from "./run.ts"

describe("the command line", () => {
  it.each([
    ["a path outside the root", ["ingest", ".."], /--root/],
    ["an address", ["ingest", "https://example.com/a.pdf"], /address|URL/i],
    ["nothing that matches", ["ingest", "nowhere/*.pdf"], /nowhere/],
    ["no path", ["ingest"], /--files-from/],
    [
      "a level of the log that there is not",
      ["status", "--log-level", "loud"],
      /--log-level: expected one of all, trace/
    ],
    [
      "a misspelt flag",
      ["ingest", "examples/documents", "--max-token", "5"],
      /unknown option --max-token; did you mean --max-tokens\?/
    ],
    [
      "a value out of bounds",
      ["ingest", "examples/documents", "--max-tokens", "0"],
      /--max-tokens: expected a whole number/
    ],
    [
      "an overlap that is no number",
      ["chunks", "examples/documents/network.html", "--overlap", "half"],
      /--overlap: expected a whole number of at least 0, got "half"/
    ],
    [
      "an overlap that leaves no room",
      ["ingest", "examples/documents", "--max-tokens", "64", "--overlap", "64"],
      /--overlap: expected a whole number from 0 to 63, below --max-tokens 64, got 64/
    ],
    [
      "a least size above the greatest",
      ["watch", "examples/documents", "--max-tokens", "64", "--min-tokens", "65"],
      /--min-tokens: expected a whole number from 0 to 64, at most --max-tokens 64, got 65/
    ],
    [
      "page boundaries that there are not",
      ["ingest", "examples/documents", "--page-boundaries", "none"],
      /--page-boundaries: expected one of soft, hard, got "none"/
    ],
    [
      "metadata without a value",
      ["ingest", "examples/documents", "--metadata", "team"],
      /--metadata: expected KEY=VALUE, such as team=legal, got "team"/
    ],
    [
      "metadata of one key twice",
      ["chunks", "examples/documents/network.html", "--metadata", "team=a", "--metadata", "team=b"],
      /--metadata: team is given twice; give each key once/
    ],
    [
      "metadata that a chunk has already",
      ["plan", "examples/documents", "--metadata", "sheet=a"],
      /--metadata: sheet is set by docsluice; use another key, such as my-sheet/
    ],
    ["a state of blanks to look at", ["status", "--state", " "], /--state: the value is empty/],
    [
      "a page over the document",
      ["chunks", "examples/documents/network.html", "--html", "examples/../examples/documents/network.html"],
      /--html .*network\.html: is the document itself/
    ],
    [
      "a page in a folder that is not there",
      ["chunks", "examples/documents/network.html", "--html", "nowhere/page.html"],
      /--html nowhere\/page\.html: the folder nowhere does not exist/
    ],
    [
      "a page and lines on one stream",
      ["chunks", "examples/documents/network.html", "--html", "-", "--json"],
      /both write to stdout/
    ],
    ["an unknown sink", ["ingest", "examples/documents", "--to", "nosuch:x"], /--to: expected jsonl:FILE/],
    [
      "a target that is named twice",
      ["ingest", "examples/documents", "--to", "jsonl:nowhere.jsonl", "--to", "jsonl:./nowhere.jsonl"],
      /--to jsonl:\.\/nowhere\.jsonl is the same target as jsonl:nowhere\.jsonl/
    ],
    [
      "a database that two users name",
      ["watch", ".", "--to", "pgvector:postgres://a:b@h/d", "--to", "pgvector:postgres://c:d@h/d"],
      /--to pgvector:postgres:\/\/h\/d is the same target as/
    ],
    [
      "a target inside another one's folder",
      ["plan", "examples/documents", "--to", "fs:nowhere", "--to", "jsonl:nowhere/chunks.jsonl"],
      /--to jsonl:nowhere\/chunks\.jsonl lies in the folder of fs:nowhere/
    ],
    ["parse options out of bounds", ["ingest", "examples/documents", "--parse-options", '{"timeout":0}'], /timeout/],
    [
      "options under which a chunker cannot work",
      [
        "ingest",
        "examples/documents",
        "--chunker",
        "blocks",
        "--parse-options",
        '{"parsers":[{"type":"pdf","blocks":false}]}'
      ],
      /blocks/
    ],
    [
      "a remote service without a key",
      ["ingest", "examples/documents", "--service", "https://service.example/v2"],
      /key/i
    ],
    ["a state without a name", ["ingest", "examples/documents", "--state", ""], /--state: the value is empty/],
    ["a root without a name", ["ingest", "examples/documents", "--root", " "], /--root: the value is empty/],
    ["an empty pattern", ["ingest", "examples/documents", "--ignore", ""], /--ignore: the value is empty/],
    ["no file", ["parse"], /^FILE is missing: docsluice parse FILE$/m],
    ["two files", ["chunks", "a.pdf", "secret"], /^one word too many: docsluice chunks FILE$/m],
    ["an argument of a command that takes none", ["status", "secret"], /^docsluice status takes flags only$/m],
    ["a level of the log without its value", ["status", "--log-level"], /--log-level needs a value/],
    ["an unknown command", ["nosuch"], /^there is no such command; docsluice --help/],
    ["an unknown command that every object has", ["constructor"], /no such command/],
    ["a misspelt command", ["ingset", "docs"], /no command "ingset"; did you mean docsluice ingest\?/],
    ["half a command", ["stat"], /did you mean docsluice status\?/],
    ["help on a misspelt command", ["serch", "--help"], /did you mean docsluice search\?/],
    [
      "a flag before the command",
      ["--quiet", "status"],
      /unknown option --quiet; begin with the command: docsluice status/
    ],
    ["a flag with swapped letters", ["ingest", "docs", "--emebdder", "hash"], /did you mean --embedder\?/],
    ["half a flag", ["ingest", "docs", "--max-tok", "5"], /did you mean --max-tokens\?/],
    ["a flag with one dash", ["status", "-json"], /unknown option -json; did you mean --json\?/],
    ["a flag of every command, misspelt", ["status", "--no-colour"], /did you mean --no-color\?/],
    ["a misspelt word", ["ingest", "docs", "--chunker", "page"], /got "page"; did you mean pages\?/],
    ["a misspelt mode", ["ingest", "docs", "--mode", "snyc"], /did you mean sync\?/],
    ["a misspelt level of the log", ["status", "--log-level", "wanring"], /did you mean warning\?/],
    ["a misspelt sink", ["ingest", "docs", "--to", "libsq:x.db"], /did you mean libsql\?/],
    ["a store without its kind", ["ingest", "docs", "--to", "a.db"], /did you mean libsql:a\.db\?/],
    ["a misspelt embedder", ["ingest", "docs", "--embedder", "hsah"], /did you mean hash\?/]
  ] as const)("answers 64 to %s, with a word on why", async (_, args, word) => {
    const { status, stderr } = await runHere(args)
    assert.match(stderr, word)
    assert.strictEqual(status, 64)
  })

  it.each([
    ["ingest", "https://me:secret@example.com/a.pdf?token=secret"],
    ["parse", "https://me:secret@example.com/a.pdf?token=secret"],
    ["ingest", "examples/documents", "--too=pgvector:postgres://me:secret@h/db"],
    ["ingest", "examples/documents", "--to", "postgres://me:secret@h/db"],
    ["ingest", "examples/documents", "--to", "chroma:http://me:secret@h"],
    ["ingest", "examples/documents", "pgvector:postgres://me:secret@h/db"],
    ["ingest", "pgvector:postgres://me:secret@h/db"],
    ["ingest", "postgres://me:a/secret@h/db"],
    ["parse", "https://me:a@secret@example.com/a.pdf"],
    ["ingest", "examples/documents", "--embedder", "https://me:secret@h/v1"],
    ["ingest", "examples/documents", "--api-key", "secret", "--api-key", "other-secret"],
    ["parse", "--api-key=secret", "examples/documents/network.html", "--api-key=other-secret"],
    ["retry", "--api-key", "secret", "--api-key", "other-secret"],
    ["search", "gauge", "--to", "libsql:nowhere.db", "--embedder", "secret", "--embedder", "secret"],
    ["remove", "a.pdf", "--state", "secret", "--state", "secret"],
    ["status", "--log-level", "info", "--log-level=secret"]
  ])("repeats no password: %s %s", async (...args) => {
    const { status, stderr, stdout } = await runHere(args)
    assert.strictEqual(status, 64)
    assert.notInclude(stdout + stderr, "secret")
  })

  it("takes flags of every command before the command's name", async () => {
    const { status, stderr } = await runHere(["--no-color", "--log-level", "debug", "status", "--state", "nowhere"])
    assert.deepStrictEqual([status, stderr], [1, ""])
    assert.match((await runHere(["--log-level", "debug", "search", "--help"])).stdout, /^Usage\n {2}docsluice search/)
  })

  it("gives the reason of a failure with --quiet too", async () => {
    const usage = await runHere(["ingest", "examples/documents", "--to", "nosuch:x", "--quiet"])
    assert.match(usage.stderr, /--to: expected/)
    assert.deepStrictEqual([usage.status, usage.stdout], [64, ""])
    const missing = await runHere(["search", "gauge", "--to", "libsql:nowhere.db", "--quiet"])
    assert.match(missing.stderr, /nowhere\.db/)
    assert.strictEqual(missing.status, 2)
  })

  it("prints help of at most 50 lines of 80 columns for every command, with an example, and all flags on request", async () => {
    for (const command of names) {
      const { status, stdout } = await runHere([command, "--help"])
      assert.strictEqual(status, 0)
      assert.match(stdout, new RegExp(`^Example\n  docsluice ${command}`, "m"))
      const lines = stdout.trimEnd().split("\n")
      assert.isAtMost(lines.length, 50, command)
      assert.isEmpty(lines.filter((line) => line.length > 80))
      const whole = (await runHere([command, "--help-all"])).stdout
      for (const { name } of (await commands[command]()).command.flags)
        assert.match(whole, new RegExp(`^  --${name}\\b`, "m"))
    }
  })

  it("prints its own help in at most 50 lines of 80 columns, with groups, defaults and three examples", async () => {
    const { stdout } = await runHere([])
    const lines = stdout.trimEnd().split("\n")
    assert.isAtMost(lines.length, 50)
    assert.isEmpty(lines.filter((line) => line.length > 80))
    for (const name of names) assert.match(stdout, new RegExp(`^  ${name}\\b`, "m"))
    assert.lengthOf(
      lines
        .slice(lines.indexOf("Examples") + 1, lines.indexOf("Examples") + 5)
        .filter((line) => line.startsWith("  docsluice")),
      3
    )
    assert.match(stdout, /^Documents into stores$/m)
    assert.match(stdout, /--max-tokens N .*\(512\)/)
  })
})
