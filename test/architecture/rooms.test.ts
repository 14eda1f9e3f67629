import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { rooms } from "./rules.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")

/** Rows of the table of folders: the folder, the file to open first, and the sentence. */
const rows = Array.from(
  guide.matchAll(/^\| `([\w/]+)` \| (?:`([^`]+)`)? ?\| (.+) \|$/gmu),
  ([, folder = "", main = "", sentence = ""]) => ({ folder, main, sentence })
)

const foldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)

describe("CONTRIBUTING.md", () => {
  it("has one line for each folder of src, src/view, src/internal, sinks/internal and test", () => {
    const parents = ["src", "src/view", "src/internal", "sinks/internal", "test"]
    const named = rows
      .map(({ folder }) => folder)
      .filter((folder) => parents.some((parent) => folder.startsWith(`${parent}/`)))
    assert.sameMembers(named, parents.flatMap(foldersIn))
  })

  it("has the rooms of src/internal in the order of the rule, lowest first", () => {
    const named = rows.flatMap(({ folder }) => /^src\/internal\/(\w+)$/u.exec(folder)?.[1] ?? [])
    assert.deepEqual(named, [...rooms])
  })

  it("says of each internal room what the first line of its main file says", () => {
    for (const { folder, main, sentence } of rows.filter(({ folder }) => /^\w+\/internal\//u.test(folder))) {
      assert.strictEqual(readFileSync(join(root, folder, main), "utf8").split("\n")[0], `/** ${sentence} */`, folder)
    }
  })

  it("names only files that are there", () => {
    const files = Array.from(
      guide.matchAll(/`((?:src|sinks|test|examples|scripts|bench)\/[\w/.-]+\.\w+)`/gu),
      ([, file = ""]) => file
    )
    assert.isAbove(files.length, 20)
    assert.deepEqual(
      files.filter((file) => !file.includes("NAME") && !existsSync(join(root, file))),
      []
    )
    for (const { folder, main } of rows) assert.isTrue(existsSync(join(root, folder, main)), `${folder}/${main}`)
  })
})

describe("test", () => {
  it("names each of its own files after a public module", () => {
    const modules = readdirSync(join(root, "src")).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []))
    const named = (file: string) => modules.some((module) => new RegExp(`^${module}(?:[A-Z]|\\.)`, "u").test(file))
    const others = readdirSync(join(root, "test"), { withFileTypes: true }).filter(
      (entry) => entry.isFile() && !named(entry.name)
    )
    assert.sameMembers(
      others.map(({ name }) => name),
      ["docs.test.ts", "examples.test.ts", "tsconfig.json", "vitest.config.ts"]
    )
  })
})
