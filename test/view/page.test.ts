/** The files of the page: small, of this server alone, and without a way to run what a document holds. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { copiedInto, recordedIn } from "../fixtures/components.ts"
import { page } from "../fixtures/page.ts"

describe("the files of the page", () => {
  it("take at most 600 KB, 150 KB compressed", async () => {
    const folder = await page()
    const files = ["app.js", "app.css", "index.html", "search.html"].map((name) => readFileSync(join(folder, name)))
    assert.isAtMost(
      files.reduce((sum, { length }) => sum + length, 0),
      600_000
    )
    assert.isAtMost(
      files.reduce((sum, file) => sum + gzipSync(file).length, 0),
      150_000
    )
  })

  it("load nothing from another host and have no inline script, style or handler", async () => {
    const folder = await page()
    const html = ["index.html", "search.html"].map((name) => readFileSync(join(folder, name), "utf8")).join("")
    assert.notMatch(html, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/_look\/app\.js")/iu)
    for (const [, address = ""] of html.matchAll(/(?:src|href)="([^"]*)"/gu))
      assert.match(address, /^(?:\/_look\/|data:,$)/u)
    const css = readFileSync(join(folder, "app.css"), "utf8")
    assert.notMatch(css, /@import|url\(/iu)
  })

  it("hold no `eval` and set `innerHTML` nowhere but in the view library", async () => {
    const folder = await page()
    const script = readFileSync(join(folder, "app.js"), "utf8")
    assert.notMatch(script, /\beval\(|new Function\b|document\.write/u)
    assert.isAtMost(script.match(/\.innerHTML\s*=[^=]/gu)?.length ?? 0, 1)
  })

  it("hold the packages that sbom.cdx.json names for them, each with its licence", async () => {
    const folder = await page()
    const held = recordedIn(folder)
    assert.sameMembers([...held], [...copiedInto("dist/src/view")])
    assert.isTrue(held.some((each) => each.startsWith("preact@")))
    const licences = readFileSync(join(folder, "LICENSES.txt"), "utf8")
    for (const each of held) {
      const at = each.lastIndexOf("@")
      assert.include(licences, `${each.slice(0, at)} ${each.slice(at + 1)} (`)
    }
  })
})
