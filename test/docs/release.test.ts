import { existsSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { parse } from "yaml"

const root = new URL("../../", import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, root), "utf8")

const Workflow = Schema.Struct({
  permissions: Schema.Record({ key: Schema.String, value: Schema.String }),
  jobs: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      permissions: Schema.Record({ key: Schema.String, value: Schema.String }),
      steps: Schema.Array(Schema.Struct({ uses: Schema.optional(Schema.String), run: Schema.optional(Schema.String) }))
    })
  })
})

const Manifest = Schema.parseJson(
  Schema.Struct({ version: Schema.String, scripts: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const manifest = Schema.decodeUnknownSync(Manifest)(read("package.json"))

const workflows = readdirSync(new URL(".github/workflows", root)).map((name) => ({
  name,
  workflow: Schema.decodeUnknownSync(Workflow)(parse(read(`.github/workflows/${name}`)))
}))

describe("releases", () => {
  it("run scripts that are there", () => {
    const runs = workflows.flatMap(({ workflow }) =>
      Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run.split("\n")))
    )
    const scripts = runs.flatMap((run) => /^npm run ([\w:-]+)/u.exec(run)?.[1] ?? [])
    const files = runs.flatMap((run) => /^node (\S+)/u.exec(run)?.[1] ?? [])
    assert.isAbove(scripts.length, 1)
    assert.isAbove(files.length, 1)
    assert.deepStrictEqual(
      scripts.filter((script) => manifest.scripts[script] === undefined),
      []
    )
    assert.deepStrictEqual(
      files.filter((file) => !existsSync(new URL(file, root))),
      []
    )
  })

  it("give no job a right to write that runs code of the repository", () => {
    for (const { name, workflow } of workflows) {
      assert.deepStrictEqual(workflow.permissions, {}, name)
      for (const [job, { permissions, steps }] of Object.entries(workflow.jobs)) {
        const writes = Object.values(permissions).includes("write")
        const runsOwn = steps.some(
          ({ run = "", uses = "" }) => uses.includes("checkout") || /\bnpm (?:ci|run)\b/u.test(run)
        )
        assert.isFalse(writes && runsOwn, `${name}: ${job}`)
      }
    }
  })

  it("are supported: SECURITY.md names the minor version", () => {
    assert.include(read("SECURITY.md"), `| ${manifest.version.replace(/\.\d+$/u, ".x")} | yes |`)
  })
})
