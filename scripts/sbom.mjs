/**
 * `node scripts/sbom.mjs` writes what the package is made of, after the build: `sbom.cdx.json` (CycloneDX 1.7) and THIRD-PARTY.md.
 * What the build copied stands there with its exact version, what npm installs with the range that package.json asks for.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtIn, manifest, root } from "./builtIn.mjs"
import { manifestIn } from "./components.mjs"

/** Each folder with the packages that its `components.json` names. */
const parts = Object.keys(builtIn).map((folder) => ({
  folder: `dist/${folder}`,
  components: JSON.parse(readFileSync(join(root, "dist", folder, "components.json"), "utf8"))
}))

const compare = ({ name: left }, { name: right }) => (left < right ? -1 : Number(left > right))

const copies = [
  ...new Map(
    parts.flatMap(({ components }) => components).map((each) => [`${each.name}@${each.version}`, each])
  ).values()
].toSorted(compare)

const dependencies = Object.entries(manifest.dependencies).map(([name, range]) => ({
  name,
  range,
  license: manifestIn(`node_modules/${name}`).license
}))

const purl = (name) => `pkg:npm/${name.replace("@", "%40")}`

/** A range of npm, of one version or with a caret, in the notation of `vers`. */
const vers = (range) => {
  const [, caret, major, minor, patch] = /^(\^?)(\d+)\.(\d+)\.(\d+)$/u.exec(range) ?? []
  if (patch === undefined) throw new Error(`${range} in "dependencies" is neither one version nor one with a caret`)
  const lowest = [major, minor, patch].map(Number)
  if (caret === "") return `vers:npm/${lowest.join(".")}`
  const fixed = Math.min(
    lowest.findIndex((number) => number > 0),
    2
  )
  const next = lowest.map((number, at) => (at < fixed ? number : at === fixed ? number + 1 : 0))
  return `vers:npm/>=${lowest.join(".")}|<${next.join(".")}`
}

/** An id of SPDX, or an expression of several. */
const licensesOf = (license) => (license.includes(" ") ? [{ expression: license }] : [{ license: { id: license } }])

const component = (name, rest) => {
  const [group, own] = name.startsWith("@") ? name.split("/") : [undefined, name]
  return { type: "library", ...(group === undefined ? {} : { group }), name: own, ...rest }
}

const own = `${purl(manifest.name)}@${manifest.version}`

const bom = {
  $schema: "http://cyclonedx.org/schema/bom-1.7.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.7",
  version: 1,
  metadata: {
    component: component(manifest.name, {
      "bom-ref": own,
      version: manifest.version,
      description: manifest.description,
      licenses: licensesOf(manifest.license),
      purl: own
    })
  },
  components: [
    ...copies.map(({ name, version, license }) =>
      component(name, {
        "bom-ref": `${purl(name)}@${version}`,
        version,
        licenses: licensesOf(license),
        purl: `${purl(name)}@${version}`,
        properties: parts
          .filter(({ components }) => components.some((each) => each.name === name && each.version === version))
          .map(({ folder }) => ({ name: "docsluice:copiedInto", value: folder }))
      })
    ),
    ...dependencies.map(({ name, range, license }) =>
      component(name, {
        "bom-ref": purl(name),
        isExternal: true,
        versionRange: vers(range),
        licenses: licensesOf(license),
        purl: purl(name)
      })
    )
  ],
  dependencies: [
    {
      ref: own,
      dependsOn: [
        ...copies.map(({ name, version }) => `${purl(name)}@${version}`),
        ...dependencies.map(({ name }) => purl(name))
      ]
    }
  ]
}

writeFileSync(join(root, "sbom.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`)

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

/** Words of the list for a package, which stand for what it needs as well. */
const reason = (folder, name) => builtIn[folder.replace("dist/", "")][name] ?? "part of one of these"

const sections = parts.map(
  ({ folder, components }) =>
    `### \`${folder}\`\n\n${table(
      ["package", "version", "licence", "why it is built in"],
      components.map(({ name, version, license }) => [`\`${name}\``, version, license, reason(folder, name)])
    )}`
)

const begin = "<!-- Written by scripts/sbom.mjs -->"
const end = "<!-- End of what scripts/sbom.mjs writes -->"

const place = join(root, "THIRD-PARTY.md")
const text = readFileSync(place, "utf8")
const written = `## Dependencies

npm installs these next to docsluice, with what they need themselves; \`npm ls --all\` shows them.

${table(
  ["package", "versions", "licence"],
  dependencies.map(({ name, range, license }) => [`\`${name}\``, range, license])
)}

## Built in

The published package holds copies of these, with their licences in a \`LICENSES.txt\` next to each. [\`sbom.cdx.json\`](sbom.cdx.json) in the package lists both, in CycloneDX 1.7.

${sections.join("\n\n")}
`
writeFileSync(place, `${text.slice(0, text.indexOf(begin))}${begin}\n\n${written}\n${text.slice(text.indexOf(end))}`)
