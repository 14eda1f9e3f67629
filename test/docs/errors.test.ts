import { assert, describe, it } from "@effect/vitest"
import * as EmbeddingError from "../../src/internal/embedding/embeddingError.ts"
import { declared, reasons, rewritten, tables } from "./errorTables.ts"
import { read } from "./pages.ts"

const page = read("docs/errors.md")

/** Rows of the first table below a heading, without its head. */
const rowsBelow = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = page.split(new RegExp(`^#+ ${heading}$`, "mu"))
  const lines = section.split("\n")
  const first = lines.findIndex((line) => line.startsWith("|---"))
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"))
  return first === -1 ? [] : lines.slice(first + 1, end)
}

describe("docs/errors.md", () => {
  it("has its tables as the sources have them; test/docs/writeErrors.ts writes them", () => {
    for (const { heading, rows } of tables) {
      assert.isAbove(rows.length, 5)
      assert.deepStrictEqual(rowsBelow(heading), rows)
    }
    assert.strictEqual(rewritten(page), page)
    assert.strictEqual(rewritten(page.replace("| `Defect` |", "| `Fault` |")), page)
  })

  it("explains every error that a class of the sources declares, the command line's own included", () => {
    assert.isAbove(declared.size, 60)
    const [classes = ""] = page.split(/^## Reasons$/mu)
    const explained = new Set(Array.from(classes.matchAll(/^\|(?: \d+ \|)? `(\w+)`/gmu), ([, tag]) => tag))
    assert.deepStrictEqual(
      [...declared].filter((tag) => !explained.has(tag)),
      []
    )
    assert.isTrue(explained.has("PackageFilesMissing"))
  })

  it("explains every reason that an error can have, and no other", () => {
    const all = [...reasons, ["EmbeddingError", EmbeddingError.Reason.literals] as const]
    const ofCache = new Set(["EmbeddingCacheError", "AgentJobsError", "AccountsError"])
    const wanted = all.flatMap(([tag, names]) => (ofCache.has(tag) ? [] : names.map((name) => `${tag} ${name}`)))
    const explained = rowsBelow("Reasons").map(
      (row) => /^\| `(\w+)` \| `(\w+)` \|/u.exec(row)?.slice(1).join(" ") ?? row
    )
    assert.isAbove(all.length, 12)
    assert.deepStrictEqual(explained.toSorted(), wanted.toSorted())
    const cache = [...(reasons.get("ParseCacheError") ?? [])]
    assert.sameMembers([...(reasons.get("EmbeddingCacheError") ?? [])], cache)
    for (const tag of ofCache) assert.includeMembers(cache, [...(reasons.get(tag) ?? [])])
  })
})
