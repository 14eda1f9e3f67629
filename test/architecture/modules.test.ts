import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import fg from "fast-glob"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string): string => readFileSync(`${root}/${file}`, "utf8")

/** Folders whose files are the public modules, and `docs/site/typedoc.json` its entry points. */
const folders = ["src/*.ts", "src/service/*.ts", "src/source/*.ts", "src/testing/*.ts", "sinks/*.ts"]

/** Public modules by the name after `docsluice/`; `index` is the package itself. */
const modules: ReadonlyArray<string> = fg
  .sync(folders, { cwd: root })
  .map((file) => file.replace(/^src\//u, "").replace(/\.ts$/u, ""))

interface Entry {
  readonly "docsluice:source": string
  readonly types: string
  readonly default: string
}

const { exports }: { readonly exports: Readonly<Record<string, Entry>> } = JSON.parse(read("package.json"))
const { "./package.json": manifest, ...entries } = exports

const nameOf = (path: string): string => (path === "." ? "index" : path.slice("./".length))

describe("public modules", () => {
  it("are at most 79 beside the index", () => {
    assert.isAbove(modules.length, 40)
    assert.isAtMost(modules.length - 1, 79)
  })

  it("have an entry each in package.json, with their source, types and code, and nothing else has one", () => {
    assert.isDefined(manifest)
    assert.sameMembers(Object.keys(entries).map(nameOf), [...modules])
    for (const [path, entry] of Object.entries(entries)) {
      const file = `${path.startsWith("./sinks/") ? "" : "src/"}${nameOf(path)}`
      assert.deepStrictEqual(entry, {
        "docsluice:source": `./${file}.ts`,
        types: `./dist/${file}.d.ts`,
        default: `./dist/${file}.js`
      })
    }
  })

  it("are what index gives as namespaces, under their own names", () => {
    const given = Array.from(
      read("src/index.ts").matchAll(/^export \* as (\w+) from "\.\/([\w/]+)\.ts"$/gmu),
      ([, name = "", module = ""]) => ({ name, module })
    )
    assert.isAbove(given.length, 30)
    for (const { name, module } of given) {
      assert.include(modules, module)
      assert.strictEqual(module.split("/").at(-1), name)
    }
    assert.lengthOf(read("src/index.ts").match(/^export /gmu) ?? [], given.length)
  })

  it("stand in the table of docs/programs.md, each once", () => {
    const [, table = ""] = read("docs/programs.md").split("\n## Modules\n")
    const cells = Array.from(table.matchAll(/^\| (`docsluice[^|]*) \|/gmu), ([, cell = ""]) => cell)
    const named = cells.flatMap((cell) =>
      Array.from(cell.matchAll(/`(?:docsluice\/)?([\w/]+)`/gu), ([, name = ""]) => name)
    )
    assert.sameMembers(
      named.map((name) => (name === "docsluice" ? "index" : name)),
      [...modules]
    )
  })

  it("are the entry points of the reference, but for index", () => {
    const config: { readonly entryPoints: ReadonlyArray<string>; readonly exclude: ReadonlyArray<string> } = JSON.parse(
      read("docs/site/typedoc.json")
    )
    assert.sameMembers(
      [...config.entryPoints],
      folders.map((folder) => `../../${folder}`)
    )
    assert.deepStrictEqual(config.exclude, ["../../src/index.ts"])
  })
})
