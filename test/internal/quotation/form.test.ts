import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { holds, readings } from "../../../src/internal/quotation/quotation.ts"
import "../../fixtures/seed.ts"

const stands = (text: string, quote: string): boolean => holds(readings(text), quote)

describe("a quote", () => {
  it.each([
    ["hyphens of both kinds at line ends", "a long-\nterm exam-\nple", "a long-term example"],
    ["a hyphen at the end of a line of capitals", "the COM-\nPANY", "the COMPANY"],
    ["a range broken at its dash", "in 2020–\n2021", "in 2020-2021"],
    ["a soft hyphen that is seen", "the long\u00ADterm plan", "the long-term plan"],
    ["a hyphen before a conjunction", "short-\nand long-term plans", "short- and long-term plans"],
    ["dashes with and without blanks", "a gauge—the new one—stands", "a gauge - the new one – stands"],
    ["a dash typed as a hyphen", "a gauge—the new one", "a gauge-the new one"],
    ["a percent sign with a blank", "rose by 5\u202F% in May", "rose by 5% in May"],
    ["a power typed with a caret", "some 10^6 gauges", "some 10⁶ gauges"],
    ["a power in tags", "some 10<sup>6</sup> gauges", "some 10⁶ gauges"],
    ["a point of a list", "- in May\n- in June", "• in May • in June"],
    ["cells of a table", "| Net | 82,959 |\n|---|---|\n| Cost | 47 |", "| Net | 82,959 |\n| Cost | 47 |"],
    ["escaped tags", "a \\<b> c", "a <b> c"],
    ["quotation marks around all of it", "it stands there", "“it stands there”"],
    ["marks around its ends", "(it “stands there”, he said)", "it “stands there"],
    ["a note after its end", "it stands there.¹² Next", "it stands there."],
    ["Chinese with blanks", "每年 五月\n校准。", "每年五月校准"]
  ])("stands in spite of %s", (_, text, quote) => assert.isTrue(stands(text, quote)))

  it.each([
    ["numbers joined over a line end", "in 20-\n21", "in 2021"],
    ["a decimal point", "takes 1.5 hours", "takes 15 hours"],
    ["a range", "pages 10–20 of", "pages 1020 of"],
    ["a minus", "at -5 °C", "at 5 °C"],
    ["a minus with a blank", "at − 5 °C", "5 °C"],
    ["a minus at its beginning", "at -5 °C", "5 °C"],
    ["a raised digit", "x² is", "x2 is"],
    ["a raised digit in tags", "10<sup>2</sup> gauges", "102 gauges"],
    ["a raised digit after its end", "an area of 5 m²", "an area of 5 m"],
    ["a power of brackets after its end", "is f(x)² then", "is f(x)"],
    ["a percent sign after its end", "rose by 5 %", "rose by 5"],
    ["the end of a number", "sales of 82,959 million", "sales of 82"],
    ["the beginning of a number", "sales of 82,959 million", "959 million"],
    ["a prefix that negates", "the non-calibrated gauges", "calibrated gauges"],
    ["brackets of a negative number", "a result of (82)", "a result of 82"],
    ["a sign that Markdown has too", "a dose of\n> 5 mg", "a dose of 5 mg"],
    ["a sign of the quote that Markdown has too", "a dose of 5 mg", "a dose of\n> 5 mg"],
    ["a list's mark that is a minus", "5 °C in May", "- 5 °C in May"],
    ["words in angle brackets", "gauges are calibrated", "gauges are <never> calibrated"],
    ["words in a comment", "gauges are calibrated", "gauges are <!-- never --> calibrated"],
    ["bars of an absolute value", "the value x is", "the value |x| is"],
    ["a small letter", "the Orange company", "the orange company"],
    ["a comma", "gauges, new and old", "gauges new and old"]
  ])("does not stand where it differs by %s", (_, text, quote) => assert.isFalse(stands(text, quote)))

  it("takes no time that grows faster than its length", () => {
    for (const part of [" ", "-", "—", "(", "'", "\u00AD", "\n", "-\n", "*", "<", "[", "|", "> ", "^{1}", ".", "`"]) {
      const text = part.repeat(20_000)
      const start = performance.now()
      stands(`${text}a`, `a${text}`)
      assert.isBelow(performance.now() - start, 2000, JSON.stringify(part))
    }
  })
})

const word = FastCheck.oneof(
  FastCheck.stringMatching(/^[a-z]{2,9}$/u),
  FastCheck.stringMatching(/^[A-Z][a-z]{2,9}$/u),
  FastCheck.stringMatching(/^[1-9]\d{0,3}(?:[.,]\d{1,2})?%?$/u),
  FastCheck.stringMatching(/^[a-z]{3,6}-[a-z]{3,6}$/u),
  FastCheck.constantFrom("office's", '"first"', "flow", "affluent", "Zoë", "naïve", "−5", "3–7", "x²", "(see", "§5)")
)

const words = FastCheck.array(word, { minLength: 5, maxLength: 40 })

/** What a typesetter may do to words: the same for each draw. */
const typographies: ReadonlyArray<(text: string) => string> = [
  (text) => text.replaceAll(" ", "\n"),
  (text) => text.replaceAll(" ", " \u00A0"),
  (text) => text.replaceAll(/(?<=\p{L}{2})(?=\p{L}{3})/gu, "-\n"),
  (text) => text.replaceAll(/(?<=\p{L}{2})(?=\p{L}{3})/gu, "\u00AD"),
  (text) => text.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "‐\n"),
  (text) => text.replaceAll("ffl", "ﬄ").replaceAll("ffi", "ﬃ").replaceAll("fi", "ﬁ").replaceAll("fl", "ﬂ"),
  (text) => text.replaceAll("'", "’").replaceAll(/"(\S+)"/gu, "“$1”"),
  (text) => text.replaceAll(/["]/gu, "„"),
  (text) => text.replaceAll(/[−–]/gu, "-"),
  (text) => text.normalize("NFD"),
  (text) => text.replaceAll(" ", " \u200B"),
  (text) => text.replaceAll(" ", " **").replaceAll(/(?<=\*\*\S+)(?= |$)/gu, "**")
]

describe("the words of a text", () => {
  it("stand there in any typography", () => {
    FastCheck.assert(
      FastCheck.property(words, FastCheck.nat(), FastCheck.constantFrom(...typographies), (all, at, typeset) => {
        const quote = all.slice(at % (all.length - 4))
        assert.isTrue(stands(all.join(" "), typeset(quote.join(" "))), typeset(quote.join(" ")))
        assert.isTrue(stands(typeset(all.join(" ")), quote.join(" ")), typeset(all.join(" ")))
      })
    )
  })

  it("do not stand there with another digit, or with one more or less", () => {
    const digit = FastCheck.constantFrom("", ..."0123456789")
    FastCheck.assert(
      FastCheck.property(
        words,
        FastCheck.nat(),
        digit,
        FastCheck.constantFrom(...typographies),
        (all, at, other, typeset) => {
          const text = `${all.slice(0, 3).join(" ")} took 4,105.5 of ${all.slice(3).join(" ")}`
          const places = [...text.matchAll(/\d/gu)].map(({ index }) => index)
          const place = places[at % places.length] ?? 0
          const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`
          FastCheck.pre(changed !== text)
          assert.isFalse(stands(text, typeset(changed)), `${text}\n${typeset(changed)}`)
        }
      )
    )
  })

  it("do not stand there without one of them, or with one more", () => {
    FastCheck.assert(
      FastCheck.property(words, FastCheck.nat(), (all, at) => {
        const place = 1 + (at % (all.length - 2))
        const fewer = [...all.slice(0, place), ...all.slice(place + 1)]
        FastCheck.pre(!` ${all.join(" ")} `.includes(` ${fewer.join(" ")} `))
        assert.isFalse(stands(all.join(" "), fewer.join(" ")))
        assert.isFalse(stands(all.join(" "), all.toSpliced(place, 0, "not").join(" ")))
      })
    )
  })
})
