import { assert, describe, it } from "@effect/vitest"
import { Foreign, Summary } from "docsluice/Outcome"
import * as NextStep from "../../src/cli/NextStep.ts"
import * as Total from "../../src/internal/run/total.ts"

const stored = Summary.make({ ...Total.nothing, stored: 3 })
const broken = Summary.make({
  ...stored,
  failed: 1,
  failures: [
    {
      source: "a.pdf",
      error: new Foreign({ tag: "DocumentUnparsable", message: "damaged" }),
      tag: "DocumentUnparsable",
      message: "damaged",
      retryable: false
    }
  ]
})

const ended = (words: ReadonlyArray<string>, shown: string, at = 0, of = 1): NextStep.Ended => ({
  words,
  state: ".docsluice",
  searched: { at, of, shown }
})

const search = "docsluice search 'your question'"
const lacking = "give the credentials of its address again"

describe("the next command", () => {
  it.each([
    [["ingest", "docs"], "pgvector:postgres://h/rag", { command: search }],
    [
      ["ingest", "docs", "--to", "pgvector:postgres://rag@h/rag"],
      "pgvector:postgres://rag@h/rag",
      { command: `${search} --to pgvector:postgres://rag@h/rag` }
    ],
    [
      ["ingest", "docs", "--to=pgvector:postgres://rag:secret@h/rag"],
      "pgvector:postgres://h/rag",
      { command: `${search} --to pgvector:postgres://h/rag`, remark: lacking }
    ],
    [
      ["ingest", "docs", "--to", "pgvector:@address"],
      "pgvector:postgres://h/rag",
      { command: `${search} --to pgvector:@address` }
    ]
  ] as const)(
    "after %j searches the store that was named, or is known, as it has to be typed",
    (words, shown, next) => {
      assert.deepStrictEqual(NextStep.after(stored, ended(words, shown)), next)
    }
  )

  it("names the user of a mailbox, and hides a password", () => {
    const given = "imaps://me@example.com@mail.example.com/Gr\u00F6\u00DFe & Co"
    const next = NextStep.after(broken, ended(["ingest", given], "jsonl:a.jsonl"))
    assert.strictEqual(next?.command, `docsluice ingest '${given}'`)
    const secret = NextStep.after(broken, ended(["ingest", "imaps://me:secret@h/INBOX"], "jsonl:a.jsonl"))
    assert.strictEqual(secret?.command, "docsluice ingest imaps://me:\u2026@h/INBOX")
    assert.include(secret?.remark ?? "", lacking)
  })

  it("names one of several targets, wherever they are from", () => {
    const words = ["ingest", "docs", "--to", "jsonl:a.jsonl", "--to", "libsql:a.db"]
    assert.strictEqual(NextStep.after(stored, ended(words, "libsql:a.db", 1, 2))?.command, `${search} --to libsql:a.db`)
    const configured = NextStep.after(stored, ended(["ingest", "docs"], "libsql:a.db", 1, 2))
    assert.strictEqual(configured?.command, `${search} --to libsql:a.db`)
  })

  it("after a run with a broken file is said, and how to search what is stored", () => {
    assert.deepStrictEqual(NextStep.after(broken, ended(["ingest", "docs", "--to", "libsql:a.db"], "libsql:a.db")), {
      command: "docsluice ingest docs --to libsql:a.db",
      remark: "once they are mended",
      also: { command: `${search} --to libsql:a.db` }
    })
  })

  it("says which part of it is never printed", () => {
    const words = ["ingest", "docs", "--to", "pgvector:postgres://rag:secret@h/rag"]
    assert.deepInclude(NextStep.after(broken, ended(words, "pgvector:postgres://h/rag")), {
      command: "docsluice ingest docs --to pgvector:postgres://h/rag",
      remark: `once they are mended; ${lacking}`
    })
  })
})
