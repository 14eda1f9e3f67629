import { assert, describe, it } from "@effect/vitest"
import * as LeftOut from "../../src/cli/LeftOut.ts"

describe("types that a run leaves out", () => {
  it("are named, each with the word that would read it", () => {
    assert.deepStrictEqual(LeftOut.lines({ png: 9, ts: 54, gif: 2, mbox: 1, zip: 1, tgz: 1 }), [
      "68 files of types that are not read: 54 .ts (with --types +ts), 9 .png (with --types +png), 2 .gif, 1 .mbox (with --expand mbox), " +
        "1 .tgz (as tar:FILE), 1 .zip (with --expand zip)"
    ])
  })

  it("give no advice where nothing helps", () => {
    assert.deepStrictEqual(LeftOut.lines({ gif: 3, exe: 1, "": 1 }), [
      "5 files of types that are not read: 3 .gif, 1 without a type, 1 .exe"
    ])
    assert.deepStrictEqual(LeftOut.lines({ pdf: 1, md: 2 }), ["3 files that --types leaves out: 2 .md, 1 .pdf"])
  })
})
