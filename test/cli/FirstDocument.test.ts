import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { jobsOf } from "../../src/cli/FirstDocument.ts"

describe("the first document of a command line", () => {
  let folder = ""
  const jobs = (words: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => jobsOf(words, environment, folder)
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "docsluice-first-"))
    for (const name of ["a.html", "b.PDF", "c.xlsx", "d.md"]) writeFileSync(join(folder, name), "")
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is of the kind of job that its name says", () => {
    assert.deepEqual(jobs(["parse", "a.html"]), ["html"])
    assert.deepEqual(jobs(["parse", "b.PDF"]), ["pdf"])
    assert.deepEqual(jobs(["look", "b.PDF", "--port", "0"]), ["pdf", "pdf"])
    assert.deepEqual(jobs(["ingest", "d.md", "c.xlsx"]), ["office"])
  })

  it("is none where there is no such file, or this process reads it without a parser's", () => {
    for (const words of [["parse", "none.pdf"], ["parse", "d.md"], ["parse"], ["serve", "a.html"], []]) {
      assert.isEmpty(jobs(words), words.join(" "))
    }
  })

  it("is none where a service, a queue, a state or the environment may say otherwise", () => {
    for (const flag of ["--service=http://127.0.0.1:1", "--queue", "--state"]) {
      assert.isEmpty(jobs(["ingest", "a.html", flag, "x"]), flag)
    }
    mkdirSync(join(folder, ".docsluice"))
    assert.isEmpty(jobs(["ingest", "a.html"]))
    assert.deepEqual(jobs(["parse", "a.html"]), ["html"])
    assert.isEmpty(jobs(["parse", "a.html"], { DOCSLUICE_SERVICE: "http://127.0.0.1:1" }))
  })
})
