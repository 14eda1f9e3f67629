import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { loaded, moduleBeside, PackageFilesMissing } from "../../src/internal/base/packageFiles.ts"

describe("packageFiles", () => {
  let folder = ""
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "docsluice-files-")))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text = ""): URL => {
    mkdirSync(join(folder, name, ".."), { recursive: true })
    writeFileSync(join(folder, name), text)
    return pathToFileURL(join(folder, name))
  }
  const find = (importer: string | undefined): URL => moduleBeside("./entry.js", "dist/entry.js", importer)

  it("finds a module next to the one that asks", () => {
    const entry = write("package/entry.js")
    assert.strictEqual(find(write("package/asks.js").href).href, entry.href)
  })

  it("finds it in the installed package when a bundler has moved the one that asks", () => {
    write("node_modules/docsluice/package.json", JSON.stringify({ name: "docsluice" }))
    const entry = write("node_modules/docsluice/dist/entry.js")
    assert.strictEqual(find(write("out/bundle.js").href).href, entry.href)
  })

  it("says how to bundle where there is neither", () => {
    const bundle = write("out/bundle.js").href
    const fault = (() => {
      try {
        return find(bundle)
      } catch (thrown) {
        return thrown
      }
    })()
    assert.instanceOf(fault, PackageFilesMissing)
    assert.include(String(fault), `docsluice/dist/entry.js could not be loaded from ${bundle}`)
    assert.include(String(fault), "--external:docsluice")
  })

  it("looks from the working directory in CommonJS, where a module does not know its place", () => {
    const places = loaded("libsql", undefined, (place) => place)
    assert.strictEqual(places, join(process.cwd(), "bundle.js"))
  })
})
