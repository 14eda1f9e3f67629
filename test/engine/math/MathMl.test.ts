import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fromParse5 } from "hast-util-from-parse5"
import * as Parse5 from "parse5"
import * as Tree from "../../../src/engine/html/Tree.ts"
import * as MathMl from "../../../src/engine/math/MathMl.ts"

const toTex = (markup: string): string => {
  const page = fromParse5(Parse5.parse(markup))
  const body = page.type === "root" ? Tree.find(page, "body") : undefined
  const [math] = body?.children.filter(Tree.isElement) ?? []
  return math === undefined ? "no element" : MathMl.toTex(math)
}

const states = (title: string, formulas: ReadonlyArray<readonly [markup: string, tex: string]>) =>
  it.effect(title, () =>
    Effect.sync(() => {
      for (const [markup, tex] of formulas) assert.strictEqual(toTex(`<math>${markup}</math>`), tex)
    })
  )

const fence = (open: string, inner: string, close: string): string =>
  `<mrow><mo form="prefix">${open}</mo>${inner}<mo form="postfix">${close}</mo></mrow>`

const matrix =
  "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>"

describe("TeX of presentation markup", () => {
  states("has spaces around relations and signs, not around a sign before its operand", [
    ["<mo>-</mo><mi>x</mi><mo>+</mo><mi>y</mi><mo>=</mo><mn>1.5</mn>", "-x + y = 1.5"],
    ["<mi>x</mi><mo>=</mo><mo>−</mo><mi>y</mi>", "x = -y"],
    ["<mi>f</mi><mo>&#x2061;</mo><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo>", "f(x, y)"]
  ])

  states("has scripts with braces only where they are needed", [
    ["<msup><mi>x</mi><mn>2</mn></msup>", "x^2"],
    ["<msubsup><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow><mn>10</mn></msubsup>", "x_{ij}^{10}"],
    ["<msup><msup><mi>x</mi><mi>a</mi></msup><mi>b</mi></msup>", "{x^a}^b"],
    ["<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>x</mi><mo>)</mo>", "f'(x)"],
    ["<msub><mrow/><mn>92</mn></msub><mi>U</mi>", "{}_{92}U"],
    ["<mmultiscripts><mi>U</mi><mprescripts/><mn>92</mn><mn>238</mn></mmultiscripts>", "{}_{92}^{238}U"]
  ])

  states("has commands for letters, signs, functions and alphabets", [
    ["<mi>α</mi><mi>x</mi><mo>≤</mo><mi>∞</mi>", String.raw`\alpha x \leq \infty`],
    ["<mi>sin</mi><mi>x</mi>", String.raw`\sin x`],
    ["<mi>rank</mi><mo>(</mo><mi>A</mi><mo>)</mo>", String.raw`\mathrm{rank}(A)`],
    [
      '<mi mathvariant="double-struck">R</mi><mi>𝐯</mi><mi>𝓛</mi><mi>𝑥</mi>',
      String.raw`\mathbb{R}\mathbf{v}\mathcal{L}x`
    ],
    ["<mtext>rate in %</mtext>", String.raw`\text{rate in \%}`]
  ])

  states("has fractions, roots, binomial coefficients and accents", [
    ["<mfrac><mn>1</mn><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt></mfrac>", String.raw`\frac{1}{\sqrt{x + 1}}`],
    ["<mroot><mi>x</mi><mn>3</mn></mroot>", String.raw`\sqrt[3]{x}`],
    [fence("(", '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', ")"), String.raw`\binom{n}{k}`],
    ['<mover accent="true"><mi>v</mi><mo>→</mo></mover>', String.raw`\vec{v}`],
    ["<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>", String.raw`\overline{AB}`],
    [
      "<munder><munder><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>⏟</mo></munder><mi>n</mi></munder>",
      String.raw`\underbrace{a + b}_n`
    ],
    ["<mi>A</mi><mover><mo>→</mo><mi>f</mi></mover><mi>B</mi>", String.raw`A \xrightarrow{f} B`]
  ])

  states("has limits of sums, integrals and functions as scripts", [
    [
      "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
      String.raw`\sum_{i = 1}^n i`
    ],
    ["<msubsup><mo>∫</mo><mn>0</mn><mi>∞</mi></msubsup><mi>f</mi>", String.raw`\int_0^\infty f`],
    ["<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi>", String.raw`\lim_{x \to 0} f`]
  ])

  states("has delimiters that grow only around what is high", [
    [
      "<mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo><mo>+</mo><mo>(</mo><mi>c</mi><mo>)</mo>",
      String.raw`\left( \frac{a}{b} \right) + (c)`
    ],
    [fence("‖", "<mi>v</mi>", "‖"), String.raw`\Vert v\Vert`],
    ["<mfenced open='[' close=')' separators=','><mi>a</mi><mi>b</mi></mfenced>", "[a, b)"],
    ["<mo>{</mo><mi>x</mi><mo>|</mo><mi>x</mi><mo>&gt;</mo><mn>0</mn><mo>}</mo>", String.raw`\{x|x > 0\}`]
  ])

  states("has matrices and cases as their environments", [
    [fence("(", matrix, ")"), String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`],
    [fence("|", matrix, "|"), String.raw`\begin{vmatrix} a & b \\ c & d \end{vmatrix}`],
    [`<mi>f</mi><mo>=</mo><mrow><mo>{</mo>${matrix}</mrow>`, String.raw`f = \begin{cases} a & b \\ c & d \end{cases}`],
    [
      matrix.replace("<mtable>", '<mtable columnalign="right left">'),
      String.raw`\begin{aligned} a & b \\ c & d \end{aligned}`
    ]
  ])

  states("takes names with a prefix, and only the shown one of several forms", [
    ["<m:mrow><m:mi>x</m:mi><m:mo>=</m:mo><m:mn>1</m:mn></m:mrow>", "x = 1"],
    ['<semantics><mi>y</mi><annotation encoding="StarMath 5.0">why</annotation></semantics>', "y"],
    ["<mi>a</mi><mphantom><mi>b</mi></mphantom>", "a"]
  ])
})

describe("TeX of content markup", () => {
  states("has operators between their arguments, with parentheses where they bind less", [
    [
      "<apply><eq/><ci>y</ci><apply><times/><cn>2</cn><apply><plus/><ci>x</ci><cn>1</cn></apply></apply></apply>",
      String.raw`y = 2 \left( x + 1 \right)`
    ],
    [
      "<apply><divide/><apply><minus/><ci>b</ci></apply><apply><power/><ci>a</ci><cn>2</cn></apply></apply>",
      String.raw`\frac{-b}{a^{2}}`
    ]
  ])

  states("has sums, integrals, derivatives and functions", [
    [
      "<apply><sum/><bvar><ci>i</ci></bvar><lowlimit><cn>1</cn></lowlimit><uplimit><ci>n</ci></uplimit><ci>i</ci></apply>",
      String.raw`\sum_{i = 1}^{n} i`
    ],
    [
      "<apply><int/><bvar><ci>x</ci></bvar><lowlimit><cn>0</cn></lowlimit><uplimit><cn>1</cn></uplimit><apply><sin/><ci>x</ci></apply></apply>",
      String.raw`\int_{0}^{1} \sin(x) \, dx`
    ],
    ["<apply><diff/><bvar><ci>x</ci></bvar><ci>f</ci></apply>", String.raw`\frac{df}{dx}`],
    ["<apply><ci>f</ci><ci>x</ci><pi/></apply>", String.raw`f(x, \pi)`]
  ])
})

describe("hostile formulas", () => {
  it.effect("of any depth give their text, in time that grows with their length", () =>
    Effect.sync(() => {
      const deep = `${"<mrow>".repeat(400)}<mi>x</mi>${"</mrow>".repeat(400)}`
      assert.include(toTex(`<math>${deep}</math>`), "x")
      const nested = Array.from({ length: 300 }).reduce<string>(
        (inner) => `<msup>${inner}<mn>2</mn></msup>`,
        "<mi>y</mi>"
      )
      assert.include(toTex(`<math>${nested}</math>`), "y")
      const long = toTex(`<math>${"<mo>(</mo><mi>x</mi>".repeat(20_000)}</math>`)
      assert.strictEqual(long.length, 40_000)
    })
  )

  it.effect("of elements without their arguments give what is there", () =>
    Effect.sync(() => {
      for (const name of [
        "mfrac",
        "msup",
        "munderover",
        "mmultiscripts",
        "mroot",
        "semantics",
        "mtable",
        "apply",
        "cn",
        "piecewise"
      ]) {
        assert.isString(toTex(`<math><${name}></${name}></math>`))
      }
    })
  )
})
