import { assert, describe, it } from "@effect/vitest"
import { runHere } from "./run.ts"

const file = "examples/documents/handbook.pdf"

describe("--ocr-languages", () => {
  it("is 64 for a language that is not installed, and names the command that installs it", async () => {
    for (const command of [
      ["parse", file],
      ["chunks", file],
      ["serve", "--port", "0"]
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one process at a time
      const { status, stderr } = await runHere([...command, "--ocr-languages", "eng,xyz"])
      assert.strictEqual(status, 64, stderr)
      assert.include(stderr.replaceAll(/\s+/g, " "), "npm install tesseract.js@7 @tesseract.js-data/xyz")
    }
  })

  it("is 64 next to a service elsewhere", async () => {
    const { status, stderr } = await runHere([
      "parse",
      file,
      "--ocr-languages",
      "eng",
      "--service",
      "http://127.0.0.1:1/v2"
    ])
    assert.strictEqual(status, 64)
    assert.include(stderr, "--ocr-languages is for the embedded service")
  })
})
