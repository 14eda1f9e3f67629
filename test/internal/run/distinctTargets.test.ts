import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { clash, type Disk } from "../../../src/internal/run/distinctTargets.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "docsluice-targets-")))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (...names: ReadonlyArray<string>) =>
  names.map((name) => ({ shown: name, id: name, place: join(folder, name.slice(name.indexOf(":") + 1)) }))

const problem = (...names: ReadonlyArray<string>) => {
  const found = clash(at(...names))
  return found === null ? null : `${found.target.shown} ${found.problem}`
}

describe("distinctTargets", () => {
  it("sees one target under two spellings, kinds, links and hard links, also before it is there", () => {
    mkdirSync(join(folder, "real"))
    symlinkSync(join(folder, "real"), join(folder, "linked"))
    symlinkSync("real/later.jsonl", join(folder, "dangling.jsonl"))
    symlinkSync("circle", join(folder, "circle"))
    writeFileSync(join(folder, "one.jsonl"), "")
    linkSync(join(folder, "one.jsonl"), join(folder, "two.jsonl"))
    for (const [left, right] of [
      ["jsonl:x", "jsonl:./x"],
      ["jsonl:x", "jsonl:nowhere/../x"],
      ["jsonl:x", "libsql:x"],
      ["jsonl:real/a", "jsonl:linked/a"],
      ["jsonl:real/b/c", "jsonl:linked/b/c"],
      ["jsonl:dangling.jsonl", "jsonl:linked/later.jsonl"],
      ["jsonl:one.jsonl", "jsonl:two.jsonl"],
      ["jsonl:circle", "jsonl:./circle"]
    ] as const) {
      assert.strictEqual(problem(left, "fs:other", right), `${right} is the same target as ${left}; name it once`)
    }
  })

  it("sees a target inside another one's folder, in either order and through links", () => {
    for (const [inner, outer] of [
      ["jsonl:out/x", "fs:out"],
      ["libsql:linked/deep/er/x.db", "fs:real/deep"],
      ["lancedb:out/chunks.lance", "fs:out"]
    ] as const) {
      const expected = `${inner} lies in the folder of ${outer}, which holds nothing else; choose another place for one of them`
      assert.strictEqual(problem(inner, outer), expected)
      assert.strictEqual(problem(outer, inner), expected)
    }
  })

  it("leaves targets alone that are each for themselves", () => {
    assert.isNull(problem("jsonl:out/x", "fs:out/y", "fs:ou", "libsql:out/x.db", "jsonl:X"))
    assert.isNull(clash([{ shown: "a", id: "a", place: null }, ...at("b")]))
  })

  it("sees two spellings of one name where the disk ignores case", () => {
    const names = new Map(
      ["/", "/disk", "/disk/out", "/disk/out/there.jsonl"].map((name, inode) => [name, String(inode)])
    )
    const insensitive: Disk = {
      realPath: (path) => {
        const found = [...names.keys()].find((name) => name === path.toLowerCase())
        if (found === undefined) throw new Error("ENOENT")
        return found
      },
      readLink: () => {
        throw new Error("EINVAL")
      },
      identity: (path) => names.get(path.toLowerCase())
    }
    const targets = (...places: ReadonlyArray<string>) => places.map((place) => ({ shown: place, id: place, place }))
    assert.isNotNull(clash(targets("/disk/out/there.jsonl", "/disk/OUT/There.jsonl"), insensitive))
    assert.isNotNull(clash(targets("/disk/new/x.jsonl", "/disk/New/X.jsonl"), insensitive))
    assert.isNotNull(clash(targets("/disk/NEW", "/disk/new/x.jsonl"), insensitive))
    assert.isNull(clash(targets("/disk/new/x.jsonl", "/disk/new/y.jsonl"), insensitive))
  })
})
