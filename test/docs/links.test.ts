import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import fg from "fast-glob"
import { anchors, links, paths, read, root } from "./pages.ts"

/** Addresses of files of this repository. */
const repository =
  /^https:\/\/(?:github\.com\/docsluice\/docsluice\/(?:blob|tree)|raw\.githubusercontent\.com\/docsluice\/docsluice)\/main\//u

/** The fault of a link, null when it leads somewhere; addresses elsewhere are not asked. */
const fault = (from: string, to: string): string | null => {
  const ours = repository.test(to)
  if (!ours && URL.canParse(to)) return null
  const [path = "", anchor] = to.replace(repository, "").split("#")
  const file = path === "" ? from : ours ? path : join(dirname(from), path)
  const place = join(root, file)
  if (!existsSync(place)) return `${from}: ${to}: there is no ${file}`
  if (anchor === undefined || statSync(place).isDirectory()) return null
  if (!file.endsWith(".md")) return /^L\d+/u.test(anchor) ? null : `${from}: ${to}: ${file} is no page`
  return anchors(read(file)).has(anchor) ? null : `${from}: ${to}: ${file} has no such heading`
}

describe("links", () => {
  it("lead to pages, headings and files that are there", () => {
    const found = paths.flatMap((path) => links(read(path)).map((to) => fault(path, to)))
    assert.isAbove(found.length, 60)
    assert.deepStrictEqual(
      found.filter((problem) => problem !== null),
      []
    )
  })

  it("of doc comments, help pages and messages name pages that are there", () => {
    const faults = fg
      .sync(["src/**/*.{ts,tsx}", "sinks/**/*.ts", "examples/*.ts", "scripts/*.mjs"], { cwd: root })
      .flatMap((file) =>
        Array.from(
          readFileSync(join(root, file), "utf8").matchAll(/(?<![\w./-])docs\/[\w/-]+\.(?:md|png)(?:#[\w-]+)?/gu),
          ([to]) => fault("README.md", to)
        ).flatMap((problem) => (problem === null ? [] : [`${file}: ${problem}`]))
      )
    assert.deepStrictEqual(faults, [])
  })

  it("every guide is in the list of guides, and in the README", () => {
    const guides = paths.filter((path) => path.startsWith("docs/") && path !== "docs/README.md")
    for (const page of ["docs/README.md", "README.md"]) {
      const linked = new Set(
        links(read(page)).map((to) => join(repository.test(to) ? "" : dirname(page), to.replace(repository, "")))
      )
      assert.deepStrictEqual(
        guides.filter((guide) => !linked.has(guide)),
        [],
        page
      )
    }
  })

  it("an anchor is made as GitHub makes it, and a broken link is found", () => {
    assert.deepStrictEqual(
      [...anchors("# A b, `c`!\n## Über & so\n# A b, c\n```sh\n# no\n```\n")],
      ["a-b-c", "über--so", "a-b-c-1"]
    )
    assert.isNotNull(fault("README.md", "docs/absent.md"))
    assert.isNotNull(fault("README.md", "CONTRIBUTING.md#absent"))
    assert.isNotNull(fault("README.md", "https://github.com/docsluice/docsluice/blob/main/absent.md"))
    assert.isNull(fault("README.md", "https://github.com/docsluice/docsluice/blob/main/CONTRIBUTING.md#imports"))
  })
})
