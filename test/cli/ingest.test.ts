import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { Summary } from "docsluice/Outcome"
import { ParseResponse } from "docsluice/ParsedDocument"
import { Schema } from "effect"
import { run, start } from "./run.ts"

const samples = fileURLToPath(new URL("../../examples/documents", import.meta.url))
const summaryOf = Schema.decodeSync(Schema.parseJson(Summary))
const chunkOf = Schema.decodeSync(Schema.parseJson(DocumentChunk))
const answerOf = Schema.decodeSync(Schema.parseJson(ParseResponse))

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docsluice-cli-"))
  cpSync(samples, join(folder, "docs"), { recursive: true })
  mkdirSync(join(folder, "docs/broken"))
  writeFileSync(join(folder, "docs/broken/cut.docx"), "PK\u0003\u0004 this is no archive")
  writeFileSync(join(folder, "docs/broken/notes.psd"), "not a type that the service takes")
})

afterAll(() => rmSync(folder, { recursive: true }))

const lines = (file: string) =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => chunkOf(line))

describe("docsluice ingest", () => {
  it("stores every document in every target, names what failed, and says so in one JSON value", async () => {
    const to = ["--to", "jsonl:out/chunks.jsonl", "--to", "fs:out/tree"]
    const { status, stderr, stdout } = await run(folder, ["ingest", "docs", ...to, "--json"])
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 1)
    const summary = summaryOf(stdout)
    assert.deepInclude(summary, { discovered: 11, stored: 9, failed: 1, unsupported: 1, exit: 1 })
    assert.strictEqual(summary.failures[0]?.source, "docs/broken/cut.docx")
    assert.strictEqual(summary.failures[0]?.tag, "DocumentUnparsable")
    const chunks = lines("out/chunks.jsonl")
    assert.strictEqual(chunks.length, summary.chunks.added)
    assert.strictEqual(new Set(chunks.map((chunk) => chunk.documentId)).size, 9)
    assert.isTrue(existsSync(join(folder, "out/tree/manifest.json")))
    const letters = readFileSync(join(folder, ".docsluice/dead-letter.jsonl"), "utf8")
    assert.match(letters, /"source":"docs\/broken\/cut\.docx"/)
  })

  it("stores chunks that are slices of the Markdown that parse answers", async () => {
    const { stdout } = await run(folder, ["parse", "docs/handbook.pdf", "--json"])
    const markdown = answerOf(stdout).data.markdown ?? ""
    const chunks = lines("out/chunks.jsonl").filter((chunk) => chunk.source === "docs/handbook.pdf")
    assert.isAbove(chunks.length, 1)
    for (const chunk of chunks) assert.strictEqual(markdown.slice(chunk.start, chunk.end), chunk.text)
    assert.deepStrictEqual([...new Set(chunks.flatMap((chunk) => chunk.pages))], [1, 2, 3, 4])
  })

  it("prints the same chunks for one file as it stores for it", async () => {
    const { status, stdout } = await run(folder, ["chunks", "docs/network.html"])
    assert.strictEqual(status, 0)
    const printed = stdout
      .trim()
      .split("\n")
      .map((line) => chunkOf(line).text)
    const stored = lines("out/chunks.jsonl").filter((chunk) => chunk.source === "docs/network.html")
    assert.deepStrictEqual(
      printed,
      stored.map((chunk) => chunk.text)
    )
  })

  it("writes a page in place of the lines, to stdout, or in addition to them", async () => {
    const { status, stderr, stdout } = await run(folder, ["chunks", "docs/handbook.pdf", "--html", "page.html"])
    assert.deepStrictEqual([status, stdout], [0, ""])
    assert.match(stderr, /^wrote page\.html: \d+ chunks of handbook\.pdf\n$/)
    const page = readFileSync(join(folder, "page.html"), "utf8")
    assert.match(page, /^<!DOCTYPE html>[^]*<\/html>\n$/)
    const piped = await run(folder, ["chunks", "docs/handbook.pdf", "--html", "-", "--quiet"])
    assert.deepStrictEqual(piped, { status: 0, stdout: page, stderr: "" })
    const both = await run(folder, ["chunks", "docs/handbook.pdf", "--html", "page.html", "--json"])
    assert.deepStrictEqual(
      both.stdout
        .trim()
        .split("\n")
        .map((line) => chunkOf(line).index),
      [...page.matchAll(/<article/g)].map((_, at) => at)
    )
    assert.deepStrictEqual(
      [...page.matchAll(/aria-label="Page (\d): \d+ boxes/g)].map(([, number]) => number).slice(0, 1),
      ["1"]
    )
  })

  it("ends with 1 when the document fails and with 2 when the service is not there", async () => {
    assert.strictEqual((await run(folder, ["parse", "docs/broken/cut.docx"])).status, 1)
    const { status, stderr } = await run(folder, ["parse", "docs/network.html", "--service", "http://127.0.0.1:1/v2"])
    assert.match(stderr, /ConnectionFailed: 127\.0\.0\.1:1: refused/)
    assert.strictEqual(status, 2)
  })

  it("serves on a free port, parses over it, and ends with 130 when interrupted", async () => {
    const { child, ended, stdout } = start(folder, ["serve", "--port", "0", "--json"])
    while (!stdout().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 50))
    const { base } = Schema.decodeSync(Schema.parseJson(Schema.Struct({ base: Schema.String })))(stdout())
    const { status, stdout: markdown } = await run(folder, ["parse", "docs/network.html", "--service", base])
    assert.strictEqual(status, 0)
    assert.match(markdown, /^# The station network/)
    child.kill("SIGINT")
    assert.strictEqual((await ended).status, 130)
  })
})
