/** What the package says of other packages: `sbom.cdx.json`, THIRD-PARTY.md, and the list of what is built in. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Spec, Validation } from "@cyclonedx/cyclonedx-library"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { components, copiedInto, licencesOf, root } from "../fixtures/components.ts"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const Ranges = Schema.Record({ key: Schema.String, value: Schema.String })

const Manifest = Schema.parseJson(Schema.Struct({ license: Schema.optional(Schema.String), dependencies: Ranges }))

const Lock = Schema.parseJson(
  Schema.Struct({
    packages: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        license: Schema.optional(Schema.String),
        dev: Schema.optional(Schema.Boolean),
        devOptional: Schema.optional(Schema.Boolean),
        dependencies: Schema.optional(Ranges),
        optionalDependencies: Schema.optional(Ranges)
      })
    })
  })
)

const dependencies = Schema.decodeSync(Manifest)(text("package.json")).dependencies

/** Licences whose only duty is to name the authors. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0"
])

const licenceIn = (folder: string): string | undefined =>
  Schema.decodeSync(Schema.parseJson(Schema.Struct({ license: Schema.optional(Schema.String) })))(
    text(`${folder}/package.json`)
  ).license

describe("sbom.cdx.json", () => {
  it("is valid by the schema of CycloneDX 1.7", async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot7)
    assert.isNull(await validator.validate(text("sbom.cdx.json")))
    assert.isNotNull(await validator.validate(text("sbom.cdx.json").replace('"MIT"', '"of my own"')))
  })

  it("names each dependency with the range that npm is asked for, and its licence, and no other", () => {
    const external = components.filter(({ isExternal }) => isExternal === true)
    const lowest = (range: string) => `vers:npm/${range.startsWith("^") ? ">=" : ""}${range.replace("^", "")}`
    assert.sameMembers(
      external.map(({ purl, versionRange = "" }) => `${decodeURIComponent(purl)} ${versionRange.split("|")[0]}`),
      Object.entries(dependencies).map(([name, range]) => `pkg:npm/${name} ${lowest(range)}`)
    )
    for (const component of external) {
      const name = decodeURIComponent(component.purl).replace("pkg:npm/", "")
      assert.deepStrictEqual(licencesOf(component), [licenceIn(`node_modules/${name}`) ?? ""])
    }
  })

  it("bounds a range as npm does", () => {
    const range = (name: string) => components.find(({ purl, isExternal }) => isExternal && purl === `pkg:npm/${name}`)
    assert.match(range("yaml")?.versionRange ?? "", /^vers:npm\/>=2\.\d+\.\d+\|<3\.0\.0$/u)
    assert.match(range("fflate")?.versionRange ?? "", /^vers:npm\/>=0\.8\.\d+\|<0\.9\.0$/u)
  })

  it("names the packages that are built into the library, with their exact versions", () => {
    const franc = copiedInto("dist/vendor").find((name) => name.startsWith("franc@"))
    assert.strictEqual(
      franc,
      `franc@${Schema.decodeSync(Schema.parseJson(Schema.Struct({ version: Schema.String })))(text("node_modules/franc/package.json")).version}`
    )
  })
})

describe("licences", () => {
  it("are permissive for all that is copied and all that npm installs with the package", () => {
    const { packages } = Schema.decodeSync(Lock)(text("package-lock.json"))
    const folderOf = (name: string, importer: string): string | undefined => {
      const place = `${importer === "" ? "" : `${importer}/`}node_modules/${name}`
      if (packages[place] !== undefined) return place
      return importer === ""
        ? undefined
        : folderOf(name, importer.slice(0, Math.max(importer.lastIndexOf("/node_modules/"), 0)))
    }
    const reached = new Set(Object.keys(dependencies).map((name) => `node_modules/${name}`))
    for (const folder of reached) {
      const { dependencies = {}, optionalDependencies = {} } = packages[folder] ?? {}
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        const next = folderOf(name, folder)
        if (next !== undefined) reached.add(next)
      }
    }
    assert.isAbove(reached.size, 100)
    // What is built for other platforms is in the lock file by name only.
    const installed = [...reached].filter((folder) => packages[folder]?.license !== undefined)
    const licensed = [
      ...installed.map((folder) => ({ of: folder, licence: packages[folder]?.license ?? "" })),
      ...components.flatMap((component) => licencesOf(component).map((licence) => ({ of: component.purl, licence })))
    ]
    // An expression of licences that all bind.
    const binding = (licence: string) => licence.split(" AND ")
    assert.isEmpty(licensed.filter(({ licence }) => !binding(licence).every((each) => permissive.has(each))))
  })
})

describe("THIRD-PARTY.md", () => {
  it("names every component of sbom.cdx.json", () => {
    const page = text("THIRD-PARTY.md")
    for (const { isExternal, purl, version } of components) {
      const name = decodeURIComponent(purl).replace("pkg:npm/", "").replace(`@${version}`, "")
      assert.include(
        page,
        isExternal === true ? `| \`${name}\` | ${dependencies[name]} |` : `| \`${name}\` | ${version} |`
      )
    }
  })
})

describe("the build", () => {
  it("refuses an import that is neither a dependency nor built in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-imports-"))
    const checked = () =>
      new Promise<string>((resolve) =>
        execFile(process.execPath, [join(root, "scripts/builtIn.mjs"), folder], (_, __, stderr) => resolve(stderr))
      )
    try {
      writeFileSync(
        join(folder, "one.ts"),
        'import { parse } from "yaml"\nimport type { Root } from "mdast"\nimport { franc } from "franc"\n'
      )
      assert.strictEqual(await checked(), "")
      writeFileSync(join(folder, "two.ts"), 'export const load = () => import("vitest")\n')
      assert.match(await checked(), /two\.ts imports vitest: name it in "dependencies" of package\.json/u)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
