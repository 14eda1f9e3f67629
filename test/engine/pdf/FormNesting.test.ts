import { Buffer } from "node:buffer"
import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as FormNesting from "../../../src/engine/pdf/FormNesting.ts"
import { parseBytes } from "./parse.ts"

const stream = (content: string, entries = "", packed = false): string => {
  const data = packed ? deflateSync(Buffer.from(content, "latin1")).toString("latin1") : content
  const filter = packed ? " /Filter /FlateDecode" : ""
  return `<< /Length ${data.length}${entries}${filter} >>\nstream\n${data}\nendstream`
}

const assembled = (objects: ReadonlyArray<string>): Uint8Array => {
  let file = "%PDF-1.4\n"
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\n`
  return Buffer.from(`${file}${table}startxref\n${file.length}\n%%EOF\n`, "latin1")
}

interface FormSpec {
  readonly content: string
  /** Number of the form that it calls `/F`; undefined when it has no resources of its own. */
  readonly next?: number
}

/** A page that says something and draws form 0; object numbers of the forms begin at 6. */
const document = (forms: ReadonlyArray<FormSpec>, packed = false): Uint8Array =>
  assembled([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /A 5 0 R >> /XObject << /F 6 0 R >> >> >>",
    stream("BT /A 12 Tf 72 700 Td (On the page) Tj ET /F Do"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...forms.map(({ content, next }) => {
      const resources = `<< /Font << /A 5 0 R >> /XObject << /F ${6 + (next ?? 0)} 0 R >> >>`
      const entries = ` /Type /XObject /Subtype /Form /BBox [0 0 612 792]${next === undefined ? "" : ` /Resources ${resources}`}`
      return stream(content, entries, packed)
    })
  ])

const text = "BT /A 12 Tf 72 600 Td (In the form) Tj ET"

/** The Markdown and the warning of a document that must be parsed. */
const parsed = async (bytes: Uint8Array): Promise<readonly [string, string | undefined]> => {
  const result = await parseBytes(bytes)
  return result.kind === "success" ? [result.markdown, result.warning] : ["", result.error]
}

const bounded = (left: number) =>
  ["On the page", `Left out ${left} drawings that draw themselves or each other without end.`] as const

describe("a form of a PDF", () => {
  it("that draws itself twice is left out, and the rest of the page is read", async () => {
    assert.deepStrictEqual(await parsed(document([{ content: "/F Do /F Do", next: 0 }])), bounded(1))
  })

  it("that draws itself twice without resources of its own, or packed, is left out too", async () => {
    assert.deepStrictEqual(await parsed(document([{ content: "q /F Do Q q /F Do Q" }])), bounded(1))
    assert.deepStrictEqual(await parsed(document([{ content: "/F Do /F Do", next: 0 }], true)), bounded(1))
  })

  it("that stands on a tower of forms, each drawn twice by the one below, is left out", async () => {
    const tower = Array.from({ length: 60 }, (_, at) => ({ content: "/F Do /F Do", next: Math.min(59, at + 1) }))
    const [markdown, warning] = await parsed(document(tower))
    assert.strictEqual(markdown, "On the page")
    assert.match(warning ?? "", /^Left out \d+ drawings /)
  })

  it("that draws itself once, or other forms some hundred times, stays as it is", async () => {
    const once = document([{ content: `${text} /F Do`, next: 0 }])
    assert.strictEqual(FormNesting.bound(once).bytes, once)
    const many = document([
      { content: "/F Do ".repeat(300), next: 1 },
      { content: text, next: 1 }
    ])
    assert.strictEqual(FormNesting.bound(many).bytes, many)
    const [markdown, warning] = await parsed(many)
    assert.include(markdown, "In the form")
    assert.isUndefined(warning)
  })
})
