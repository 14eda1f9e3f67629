/** The programs and commands of the page are run, so that whoever copies one has what the page shows; `docs.test.ts` compiles them all. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { Either } from "effect"
import { command, commandWords, curl, plainAsync, withEffect } from "../../src/view/code/snippets.ts"
import { defaults, parseOptions } from "../../src/view/desk/choices.ts"
import { all, names, wish } from "../fixtures/pageWishes.ts"

const run = promisify(execFile)

/** The words that a shell reads, with each program replaced by one that prints its words. */
const wordsOf = (line: string): ReadonlyArray<string> => {
  const print = `${process.execPath} -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' --`
  const text = execFileSync("sh", ["-c", line.replace(/^\w+/u, print)], {
    encoding: "utf8",
    env: { DOCSLUICE_API_KEY: "k" }
  })
  const words: ReadonlyArray<string> = JSON.parse(text)
  return words
}

describe("the programs that do what the page does", () => {
  const notes = { ...wish("notes.md", all[1] ?? defaults), text: true }
  it.each([
    ["without Effect", plainAsync(wish("notes.md", defaults))],
    ["without Effect, of a text", plainAsync(notes)],
    ["with Effect, of a text", withEffect(notes)]
  ])("run %s and print the chunks of the file", async (_, program) => {
    const folder = mkdtempSync("test/view/.run-")
    try {
      writeFileSync(join(folder, "notes.md"), "# Gauges\n\nCalibrated in May.\n")
      writeFileSync(join(folder, "program.ts"), program)
      const { stdout } = await run(
        process.execPath,
        ["--import", "tsx", "--conditions=docsluice:source", "program.ts"],
        { cwd: folder }
      )
      assert.match(stdout, /^\d+ \[\] # Gauges\n\nCalibrated in May\./u)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe("the commands that do what the page does", () => {
  it("have the words that they mean, whatever the file is named", () => {
    for (const name of names) {
      for (const choices of all.slice(0, 3)) {
        const given = wish(name, choices)
        const [line = "", , , page = ""] = command(given).split("\n")
        assert.deepStrictEqual(wordsOf(line), commandWords(given).slice(1))
        assert.deepStrictEqual(wordsOf(page), [...commandWords(given).slice(1), "--html", "chunks.html"])
      }
    }
  })

  it("give options that a parse takes, and leave out those that are the default", () => {
    assert.deepStrictEqual(commandWords(wish("a.pdf", defaults)), [
      "docsluice",
      "chunks",
      "a.pdf",
      "--max-tokens",
      "512"
    ])
    for (const { parse } of all) assert.isTrue(Either.isRight(ParseOptions.decode(parseOptions(parse))))
    assert.notInclude(commandWords({ ...wish("a.md", all[1] ?? defaults), text: true }), "--parse-options")
    const words = commandWords(wish("a.pdf", all[1] ?? defaults))
    const text: unknown = JSON.parse(words[words.indexOf("--parse-options") + 1] ?? "")
    assert.deepStrictEqual(text, JSON.parse(JSON.stringify(parseOptions((all[1] ?? defaults).parse))))
  })

  it("send the file itself and the options as one part each", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-curl-"))
    const requests: Array<string> = []
    const { createServer } = await import("node:http")
    const server = createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece: Buffer) => pieces.push(piece))
      request.on("end", () => {
        requests.push(
          `${request.method} ${request.url} ${request.headers.authorization}\n${Buffer.concat(pieces).toString()}`
        )
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    try {
      for (const name of names) {
        writeFileSync(join(folder, name), `bytes of ${name}`)
        const text = curl({ ...wish(name, all[1] ?? defaults), origin: `http://127.0.0.1:${port}` })
        await run("sh", ["-c", text], { cwd: folder, env: { ...process.env, DOCSLUICE_API_KEY: "secret" } })
        const request = requests.pop() ?? ""
        assert.match(request, /^POST \/v2\/parse Bearer secret\n/u)
        assert.include(request, readFileSync(join(folder, name), "utf8"))
        assert.match(request, /name="options"\r\nContent-Type: application\/json\r\n\r\n\{"formats"/u)
      }
    } finally {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
