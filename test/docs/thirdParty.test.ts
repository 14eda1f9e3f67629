import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const root = fileURLToPath(new URL("../..", import.meta.url))

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const Manifest = Schema.parseJson(
  Schema.Struct({
    license: Schema.optional(Schema.String),
    dependencies: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
      default: () => ({})
    })
  })
)

const manifest = (path: string) => Schema.decodeSync(Manifest)(text(path))

/** Packages of the tables of a section, each as `name (licence)`. */
const named = (title: string): ReadonlyArray<string> => {
  const section =
    text("THIRD-PARTY.md")
      .split(/^## /mu)
      .find((one) => one.startsWith(title)) ?? ""
  return Array.from(section.matchAll(/^\| +(`[^|]*`) +\| +([^| ]+) +\|/gmu), ([, names = "", licence]) =>
    Array.from(names.matchAll(/`([^`]+)`/gu), ([, name]) => `${name} (${licence})`)
  ).flat()
}

const licensed = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `${name} (${manifest(`node_modules/${name}/package.json`).license})`)

describe("THIRD-PARTY.md", () => {
  it("names the packages that the build copies, with their licences, and no other", () => {
    const list = execFileSync(process.execPath, [join(root, "scripts/vendor.mjs"), "--list"], { encoding: "utf8" })
    assert.sameMembers([...named("Copies")], [...licensed(list.trim().split("\n"))])
  })

  it("names the packages that npm installs, with their licences, and no other", () => {
    assert.sameMembers(
      [...named("Packages that npm installs")],
      [...licensed(Object.keys(manifest("package.json").dependencies))]
    )
  })
})
