import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Columns from "../../src/cli/Columns.ts"

describe("Columns", () => {
  it("counts wide characters as two, marks as none", () => {
    assert.strictEqual(Columns.width("abc"), 3)
    assert.strictEqual(Columns.width("日本語.pdf"), 10)
    assert.strictEqual(Columns.width("한국"), 4)
    assert.strictEqual(Columns.width("e\u0301"), 1)
    assert.strictEqual(Columns.width("📄"), 2)
    assert.strictEqual(Columns.width("👩‍👩‍👧"), 2)
  })

  it("shortens a path in its middle and keeps the file's name", () => {
    assert.strictEqual(Columns.middle("reports/2023/winter/annual.pdf", 22), "reports/20…/annual.pdf")
    assert.strictEqual(Columns.middle("short.pdf", 22), "short.pdf")
    assert.match(Columns.middle(`${"folder/".repeat(20)}annual-report.pdf`, 30), /^folder.*….*\/annual-report\.pdf$/)
    assert.isAtMost(Columns.width(Columns.middle(`${"報告".repeat(40)}.pdf`, 31)), 31)
  })

  it.prop(
    "wraps to lines that fit, and loses no character but blanks",
    [FastCheck.string({ unit: "grapheme", maxLength: 200 }), FastCheck.integer({ min: 12, max: 90 })],
    ([given, columns]) => {
      const text = given.replaceAll(/[\p{Cc}\p{Cf}\p{Bidi_Control}\u2028\u2029]/gu, "")
      const lines = Columns.wrap(text, columns, 2)
      assert.isEmpty(lines.filter((line) => Columns.width(line) > columns))
      assert.strictEqual(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""))
    }
  )

  it("breaks between words, and a long path after a slash", () => {
    assert.deepStrictEqual(Columns.wrap("one two three four", 9), ["one two", "three", "four"])
    assert.deepStrictEqual(Columns.wrap("see docs/reports/annual/2023.pdf now", 20, 2), [
      "see docs/reports/",
      "  annual/2023.pdf",
      "  now"
    ])
  })

  it("breaks a command so that it can be typed: flags keep their values, and quotes what is between them", () => {
    assert.deepStrictEqual(Columns.command('docsluice search "how often is it" --to libsql:store.db', 30), [
      "docsluice search \\",
      '  "how often is it" \\',
      "  --to libsql:store.db"
    ])
    assert.deepStrictEqual(Columns.command("docsluice status", 30), ["docsluice status"])
  })
})
