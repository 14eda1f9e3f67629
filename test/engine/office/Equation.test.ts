import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OfficeMath from "../../../src/engine/office/equation/OfficeMath.ts"
import * as Element from "../../../src/engine/office/markup/Element.ts"
import * as documents from "../documents.ts"
import { markdownOf, parsed } from "./parsed.ts"

const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

const run = (text: string, properties = ""): string => `<m:r>${properties}<m:t>${text}</m:t></m:r>`

const part = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`

const fraction = part("f", part("num", run("b")) + part("den", run("2a")))

const latexOf = (xml: string): string => {
  const found = Element.read(`<m:oMath ${math}>${xml}</m:oMath>`, 0)
  return found === undefined ? "" : OfficeMath.markdown(found.element)
}

const value = (name: string, val: string): string => `<m:${name} m:val="${val}"/>`

describe("an equation of Office", () => {
  const cases: ReadonlyArray<readonly [name: string, xml: string, latex: string]> = [
    ["a fraction", fraction, String.raw`$\frac{b}{2a}$`],
    ["scripts", part("sSubSup", part("e", run("x")) + part("sub", run("i")) + part("sup", run("2"))), "$x_i^2$"],
    [
      "a sum with limits",
      part(
        "nary",
        part("naryPr", value("chr", "∑")) + part("sub", run("i=1")) + part("sup", run("n")) + part("e", run("i"))
      ),
      String.raw`$\sum_{i = 1}^n i$`
    ],
    [
      "an integral, which is the default",
      part("nary", part("sub", "") + part("sup", "") + part("e", run("x"))),
      String.raw`$\int x$`
    ],
    ["a root of a degree", part("rad", part("deg", run("3")) + part("e", run("x"))), String.raw`$\sqrt[3]{x}$`],
    [
      "a root without one",
      part("rad", part("radPr", value("degHide", "1")) + part("deg", "") + part("e", run("x"))),
      String.raw`$\sqrt{x}$`
    ],
    [
      "a matrix in parentheses",
      part(
        "d",
        part(
          "e",
          part(
            "m",
            ["ab", "cd"].map((row) => part("mr", Array.from(row, (cell) => part("e", run(cell))).join(""))).join("")
          )
        )
      ),
      String.raw`$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$`
    ],
    [
      "cases",
      part(
        "d",
        part("dPr", value("begChr", "{") + value("endChr", "")) +
          part("e", part("eqArr", part("e", run("1 &amp;x")) + part("e", run("0"))))
      ),
      String.raw`$\begin{cases} 1 & x \\ 0 \end{cases}$`
    ],
    [
      "a function",
      part("func", part("fName", run("log", part("rPr", value("sty", "p")))) + part("e", run("x"))),
      String.raw`$\log x$`
    ],
    [
      "a limit",
      part(
        "func",
        part("fName", part("limLow", part("e", run("lim")) + part("lim", run("n→∞")))) + part("e", run("f"))
      ),
      String.raw`$\lim_{n \to \infty} f$`
    ],
    ["an accent", part("acc", part("accPr", value("chr", "\u20d7")) + part("e", run("v"))), String.raw`$\vec{v}$`],
    ["Greek letters", run("αβΩ"), String.raw`$\alpha\beta\Omega$`],
    ["words", run("if x", part("rPr", "<m:nor/>")), String.raw`$\text{if x}$`],
    ["characters of LaTeX and of tables", run("50% {a|b} $"), String.raw`$50\%\{a\vert b\}\$$`],
    ["letters of the mathematical alphabets", run("𝑎𝑏"), "$ab$"],
    ["an empty fraction", part("f", part("num", "") + part("den", "")), String.raw`$\frac{}{}$`],
    ["no deleted text", `<w:del>${run("old")}</w:del>${run("new")}`, "$new$"]
  ]
  for (const [name, xml, latex] of cases) {
    it(`is read with ${name}`, () => assert.strictEqual(latexOf(xml), latex))
  }

  it.effect("stands in its line, and as a block where it is one", () =>
    Effect.gen(function* () {
      const inline = `<w:p><w:r><w:t xml:space="preserve">Half: </w:t></w:r><m:oMath ${math}>${fraction}</m:oMath><w:r><w:t xml:space="preserve"> of it.</w:t></w:r></w:p>`
      const block = `<w:p><m:oMathPara ${math}><m:oMath>${fraction}</m:oMath></m:oMathPara></w:p>`
      assert.strictEqual(
        yield* markdownOf(documents.docx(inline + block), "docx"),
        String.raw`Half: $\frac{b}{2a}$ of it.` + "\n\n" + String.raw`$$\frac{b}{2a}$$`
      )
    })
  )

  it.effect("is found under any prefix of its namespace, and under none", () =>
    Effect.gen(function* () {
      const space = "http://schemas.openxmlformats.org/officeDocument/2006/math"
      const own = (prefix: string, declaration: string): string => {
        const [open, close] = [`<${prefix}`, `</${prefix}`]
        const text = `${open}r>${open}t>a${close}t>${close}r>`
        return `<w:p>${open}oMath\n${declaration}='${space}'>${open}sSup>${open}e>${text}${close}e>${open}sup>${text}${close}sup>${close}sSup>${close}oMath\n></w:p>`
      }
      for (const body of [own("", "xmlns"), own("mathe-1:", "xmlns:mathe-1")])
        assert.strictEqual(yield* markdownOf(documents.docx(body), "docx"), "$a^a$")
    })
  )

  it.effect("is in the HTML as well", () =>
    Effect.gen(function* () {
      const body = `<w:p><m:oMath ${math}>${run("a&lt;b")}</m:oMath></w:p>`
      const { html } = yield* parsed(documents.docx(body), "docx", { members: ["html"] })
      assert.include(html, "<p>$a &lt; b$</p>")
    })
  )

  it.effect("leaves the document as it is where it has no end, or is nested without bound", () =>
    Effect.gen(function* () {
      const deep = `<w:p><m:oMath ${math}>${"<m:d><m:e>".repeat(90)}${run("x")}${"</m:e></m:d>".repeat(90)}</m:oMath><w:r><w:t>text</w:t></w:r></w:p>`
      assert.strictEqual(yield* markdownOf(documents.docx(deep), "docx"), "text")
    })
  )

  it.effect("is counted in a warning where it is an object of another program", () =>
    Effect.gen(function* () {
      const object =
        '<w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.DSMT4"/></w:object></w:r>'
      const { warning } = yield* parsed(documents.docx(`<w:p>${object}${object}<w:r><w:t>x</w:t></w:r></w:p>`), "docx")
      assert.match(warning ?? "", /^2 equations are objects of Equation Editor or MathType and not in the text/)
      assert.isUndefined((yield* parsed(documents.docx(), "docx")).warning)
    })
  )
})

describe("a formula in MathML", () => {
  it.effect("is read from the formula objects of an OpenDocument text", () =>
    Effect.gen(function* () {
      const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
      const odt = documents.odt(`<text:p>Half: ${frame}.</text:p><text:p>${frame}</text:p>`, {
        "Object 1/content.xml":
          '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>b</mi><mn>2</mn></mfrac></math>'
      })
      assert.strictEqual(
        yield* markdownOf(odt, "odt"),
        String.raw`Half: $\frac{b}{2}$.` + "\n\n" + String.raw`$$\frac{b}{2}$$`
      )
    })
  )

  it.effect("is the TeX that a program put next to it", () =>
    Effect.gen(function* () {
      const math =
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>x</mi><annotation encoding="application/x-tex">|x|</annotation></semantics></math>'
      assert.match(yield* markdownOf(documents.epub(`<p>Let ${math} be.</p>`), "epub"), /Let \$\\vert x\\vert \$ be\./)
    })
  )
})
