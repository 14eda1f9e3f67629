import { assert, describe, it } from "@effect/vitest"
import * as Html from "../../../bench/layout/html.ts"
import * as Languages from "../../../bench/layout/languages/all.ts"
import { nameOf } from "../../../bench/layout/languages/language.ts"
import * as Latex from "../../../bench/layout/latex.ts"
import * as Odt from "../../../bench/layout/odt.ts"
import * as Roff from "../../../bench/layout/roff.ts"
import { document, templates } from "../../../bench/layout/templates.ts"
import * as Tokens from "../../../bench/layout/tokens.ts"
import * as Truth from "../../../bench/layout/truth.ts"

const about = { producer: "none", tagged: false, split: "learn", pages: 3 } as const

const seeds = [1, 2]

describe("documents from a seed", () => {
  it("say the same for the same seed, and something else for another", () => {
    for (const template of templates) {
      const one = Truth.make(document(template, 7), about)
      assert.deepStrictEqual(Truth.make(document(template, 7), about), one)
      assert.strictEqual(Roff.make(document(template, 7)), Roff.make(document(template, 7)))
      assert.notDeepEqual(Truth.make(document(template, 8), about).blocks, one.blocks)
    }
  })

  it("are written in a language that is asked for, and otherwise in the one that was drawn before there were others", () => {
    for (const language of Languages.named(["hi", "th", "vi", "ja-vertical"])) {
      const [template] = templates
      assert.isDefined(template)
      if (template === undefined) continue
      assert.strictEqual(document(template, 1, language).language, language)
      assert.strictEqual(Truth.make(document(template, 1, language), about).language, nameOf(language))
    }
    const drawn = new Set(templates.flatMap((template) => seeds.map((seed) => document(template, seed).language.code)))
    for (const code of ["hi", "th", "vi"]) assert.isFalse(drawn.has(code), code)
  })

  it("have truths that survive their JSON", () => {
    for (const template of templates) {
      const truth = Truth.make(document(template, 1), about)
      assert.deepStrictEqual(Truth.decode(JSON.stringify(truth)), truth)
    }
  })

  it("share neither family nor kind between what is learned from and what is judged by", () => {
    const of = (split: Truth.Truth["split"], part: "family" | "kind") =>
      new Set<string>(templates.filter((template) => template.split === split).map((template) => template[part]))
    for (const part of ["family", "kind"] as const) {
      const learned = of("learn", part)
      assert.isAbove(learned.size, 0)
      for (const name of of("judge", part)) assert.isFalse(learned.has(name), name)
    }
  })

  it("fill the whole grid of every table, spans included", () => {
    for (const template of templates) {
      for (const seed of seeds) {
        for (const { rows } of Truth.make(document(template, seed), about).blocks) {
          if (rows === undefined) continue
          const widths = new Set(rows.map((row) => row.length))
          assert.strictEqual(widths.size, 1, `${template.name} ${seed}: ${JSON.stringify(rows)}`)
        }
      }
    }
  })

  it("have headings whose levels go down by one at most", () => {
    for (const template of templates) {
      for (const seed of seeds) {
        let before = 0
        for (const { level, text } of Truth.make(document(template, seed), about).blocks) {
          if (level === undefined || template.kind === "legal") continue
          assert.isAtMost(level, before + 1, `${template.name} ${seed}: ${text}`)
          before = level
        }
      }
    }
  })
})

describe("sources for producers", () => {
  const sources: ReadonlyArray<readonly [string, (own: ReturnType<typeof document>) => string]> = [
    ["HTML", (own) => Html.make(own, { mathml: false, footnotes: true })],
    ["LaTeX", (own) => Latex.make(own, "xelatex", new Set(["english"]))],
    ["OpenDocument", Odt.make],
    ["groff", Roff.make]
  ]

  for (const [name, make] of sources) {
    it(`hold the words of every block in ${name}`, () => {
      for (const template of templates) {
        const own = document(template, 1)
        const source = make(own).toLowerCase()
        for (const { text } of Truth.make(own, about).blocks) {
          // Marks of footnotes are written by the producer, and signs are escaped.
          const missing = Tokens.of(text).filter((word) => !source.includes(word) && /^\p{Ll}{4,}$/u.test(word))
          assert.isAtMost(missing.length, Tokens.of(text).length * 0.1, `${template.name}: ${missing.join(" ")}`)
        }
      }
    })
  }
})
