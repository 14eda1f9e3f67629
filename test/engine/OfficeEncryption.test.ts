import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OfficeExtension } from "../../src/engine/jobs.ts"
import { Refusal } from "../../src/engine/lanes/serve.ts"
import * as DefaultPassword from "../../src/engine/office/encryption/DefaultPassword.ts"
import * as XorObfuscation from "../../src/engine/office/encryption/XorObfuscation.ts"
import * as OfficeParser from "../../src/engine/office/OfficeParser.ts"
import { treeOptions } from "./documents.ts"

/** Workbooks that another program encrypted, all but `chosen.xlsx` with Excel's default password. */
const fixture = (name: string): Uint8Array => readFileSync(`test/fixtures/encrypted/${name}`)

const parse = (bytes: Uint8Array, extension: OfficeExtension) =>
  Effect.tryPromise({
    try: () => OfficeParser.parse({ kind: "office", bytes, extension, ...treeOptions }),
    catch: (cause) => (cause instanceof Refusal ? cause : new Refusal("malformed", String(cause)))
  })

describe("a workbook with Excel's default password", () => {
  const schemes = [
    ["agile encryption", "agile.xlsx", "xlsx"],
    ["standard encryption", "standard.xlsx", "xlsx"],
    ["RC4 with keys of 40 bits", "rc4.xls", "xls"],
    ["RC4 of the CryptoAPI", "cryptoapi.xls", "xls"],
    ["exclusive or", "xor.xls", "xls"]
  ] as const
  for (const [scheme, name, extension] of schemes) {
    it.effect(`opens under ${scheme}`, () =>
      Effect.gen(function* () {
        const { markdown } = yield* parse(fixture(name), extension)
        assert.include(markdown, "| name | value |")
        assert.include(markdown, "| depth | 42 |")
      })
    )
  }

  it.effect("has each cell of the workbook without encryption", () =>
    Effect.gen(function* () {
      const plain = yield* parse(fixture("plain.xls"), "xls")
      assert.include(plain.markdown, "| row 202 of the sheet | 199 |")
      for (const name of ["rc4.xls", "cryptoapi.xls", "xor.xls"]) {
        assert.strictEqual((yield* parse(fixture(name), "xls")).markdown, plain.markdown)
      }
    })
  )

  it("has the verifier that the specification derives from it", () => {
    assert.strictEqual(XorObfuscation.verifier("VelvetSweatshop"), 0x9a0a)
  })
})

describe("an encrypted document", () => {
  it.effect("with a password of somebody's choice stays encrypted", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(parse(fixture("chosen.xlsx"), "xlsx"))
      assert.strictEqual(refused.reason, "encrypted")
    })
  )

  it("that is damaged is opened or given back, never thrown over", () => {
    const damaged = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 0xff : byte))
    const workbook = fixture("rc4.xls")
    for (let at = 0; at < workbook.length; at += 97) {
      assert.isAbove(DefaultPassword.open(damaged(workbook, at)).length, 0)
      assert.strictEqual(DefaultPassword.open(workbook.subarray(0, at)).length, at)
    }
    const archive = fixture("standard.xlsx")
    for (let at = 24; at < archive.length; at += 997) {
      assert.isAbove(DefaultPassword.open(damaged(archive, at)).length, 0)
    }
  })
})
