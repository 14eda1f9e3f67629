import { assert, describe, it } from "@effect/vitest"
import * as LeftOut from "../../src/cli/LeftOut.ts"

describe("types that a run leaves out", () => {
  it("are named, texts among them as what --types can take, and archives as what ingest reads", () => {
    assert.deepStrictEqual(LeftOut.lines({ png: 9, ts: 54, gif: 2, py: 1, rb: 1, zip: 1, tgz: 1 }), [
      "69 files of types that are not read: 54 .ts, 9 .png, 2 .gif, 1 .py, 1 .rb, 1 .tgz, 1 .zip; " +
        "--types +ts,+py reads such files as plain text; ingest zip:FILE reads what is in an archive; " +
        "ingest tar:FILE reads what is in an archive"
    ])
  })

  it("give no advice where nothing helps", () => {
    assert.deepStrictEqual(LeftOut.lines({ png: 3, exe: 1, "": 1 }), [
      "5 files of types that are not read: 3 .png, 1 without a type, 1 .exe"
    ])
    assert.deepStrictEqual(LeftOut.lines({ pdf: 1, md: 2 }), ["3 files that --types leaves out: 2 .md, 1 .pdf"])
  })
})
