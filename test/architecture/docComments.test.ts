import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import fg from "fast-glob"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Modules that the package exports, below the root; `docs/site/typedoc.json` names the same. */
const patterns: ReadonlyArray<string> = ((): ReadonlyArray<string> => {
  const config: { readonly entryPoints: ReadonlyArray<string> } = JSON.parse(
    readFileSync(join(root, "docs/site/typedoc.json"), "utf8")
  )
  return config.entryPoints.map((pattern) => pattern.replace("../../", ""))
})()

const modules: ReadonlyArray<{ readonly file: string; readonly text: string }> = fg
  .sync([...patterns], { cwd: root, ignore: ["src/index.ts"] })
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))

interface Exported {
  readonly file: string
  readonly name: string
  /** The comment right above it; empty where there is none. */
  readonly comment: string
}

/** What a module declares and exports: the first of several declarations of a name. */
const exportsOf = ({ file, text }: { readonly file: string; readonly text: string }): ReadonlyArray<Exported> => {
  const found = new Map<string, Exported>()
  const declared =
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:abstract |async |declare (?!namespace))?(?:const|function|class|interface|type) (\w+)/gmu
  for (const [, comment = "", name = ""] of text.matchAll(declared)) {
    if (!found.has(name)) found.set(name, { file, name, comment })
  }
  return [...found.values()]
}

const all = modules.flatMap(exportsOf)

/** Names that a link of a module may lead to: its own exports, the members of its declarations, and what it imports. */
const namesOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu), ([name]) => name))

describe("doc comments of public modules", () => {
  it("every module says what it is and since when", () => {
    assert.isAbove(modules.length, 60)
    assert.deepStrictEqual(
      modules.filter(({ text }) => !/^\/\*\*\n \* \S[\s\S]*?@since \d/u.test(text)).map(({ file }) => file),
      []
    )
  })

  it("every export has a comment with @category and @since", () => {
    assert.isAbove(all.length, 500)
    assert.deepStrictEqual(
      all
        .filter(({ comment }) => !/@category \w+/u.test(comment) || !/@since \d/u.test(comment))
        .map(({ file, name }) => `${file}: ${name}`),
      []
    )
  })

  it("tags of the reference stand only in public modules and in what these export again", () => {
    const shown = new Set(modules.map(({ file }) => file))
    for (const { file, text } of modules) {
      for (const [, from = ""] of text.matchAll(/^export (?:\*|(?:type )?\{[^}]*\})[^"\n]* from "(\.[^"]+)"/gmu)) {
        shown.add(join(dirname(file), from))
      }
    }
    assert.deepStrictEqual(
      fg
        .sync(["src/**/*.{ts,tsx}", "sinks/**/*.ts"], { cwd: root, ignore: ["src/index.ts"] })
        .filter((file) => !shown.has(file))
        .filter((file) => /^\s*\* @(?:since|category)\b/mu.test(readFileSync(join(root, file), "utf8"))),
      []
    )
  })

  it("every {@link} names something that its module declares or imports", () => {
    const links = modules.flatMap(({ file, text }) => {
      const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//gu, "")
      const names = namesOf(code)
      return Array.from(text.matchAll(/\{@link ([^}|\s]+)/gu), ([, to = ""]) => ({
        place: `${file}: ${to}`,
        found: URL.canParse(to) || to.split(/[.#]/u).every((name) => names.has(name))
      }))
    })
    assert.isAbove(links.length, 80)
    assert.deepStrictEqual(
      links.filter(({ found }) => !found).map(({ place }) => place),
      []
    )
  })
})
