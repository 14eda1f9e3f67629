import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as OcrInstall from "../../../src/engine/ocr/OcrInstall.ts"
import * as OcrPackages from "../../../src/engine/ocr/OcrPackages.ts"

/** A folder with these packages in its `node_modules`, and the path of a program in it. */
const project = (version: string | undefined, languages: ReadonlyArray<string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-packages-"))
  const modules = join(folder, "node_modules")
  if (version !== undefined) {
    mkdirSync(join(modules, "tesseract.js"), { recursive: true })
    writeFileSync(join(modules, "tesseract.js", "package.json"), JSON.stringify({ name: "tesseract.js", version }))
  }
  for (const language of languages) {
    const data = join(modules, "@tesseract.js-data", language, "4.0.0_best_int")
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, `${language}.traineddata.gz`), "")
  }
  return join(folder, "program.js")
}

describe("OcrPackages", () => {
  it("finds tesseract.js and the languages next to it, English first", () => {
    const found = OcrPackages.find(project("7.0.0", ["osd", "xyz", "deu", "eng"]))
    assert.strictEqual(found?.version, "7.0.0")
    const own = Object.keys(found?.languages ?? {})
    assert.deepStrictEqual(own, ["eng", "deu", "xyz"])
  })

  it("finds nothing without the package, and with a version whose worker it does not know", () => {
    assert.isUndefined(OcrPackages.find(project(undefined, ["eng"])))
    assert.isUndefined(OcrPackages.find(project("8.0.0", ["eng"])))
  })

  it("names languages without data, and the command that installs them", () => {
    const found = OcrPackages.find(project("7.0.0", ["eng"]))
    assert.deepStrictEqual(OcrPackages.missing(found, ["eng", "eng+xyz"]), ["xyz"])
    assert.deepStrictEqual(OcrPackages.missing(undefined, ["eng"]), ["eng"])
    assert.strictEqual(OcrInstall.command(["xyz"]), "npm install tesseract.js@7 @tesseract.js-data/xyz")
  })
})
