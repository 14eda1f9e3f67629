import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { bySentence } from "../../src/internal/chunking/tokens/breakPoint.ts"
import { assertLaws } from "./laws.ts"
import { markdownDocument } from "./markdownDocument.ts"

/** The text up to the cut, where `|` is as far as it may go; there is always more text after it. */
const cut = (marked: string): string => {
  const limit = marked.indexOf("|")
  const text = `${marked.replace("|", "")}${" and so it goes on".repeat(marked.length)}`
  return text.slice(0, bySentence(text, 0, limit, text.length)).trim()
}

const split = (tokenizer: Tokenizer.Tokenizer.Service, text: string, maxTokens: number) => {
  const document = markdownDocument(text)
  const chunked = Effect.runSync(
    MarkdownChunker.make({ maxTokens }).chunk(document).pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer))
  )
  assertLaws(document, chunked, { tokenizer, maxTokens, overlapTokens: 0 })
  return chunked.chunks
}

const small = [
  "the gauge was read at noon.",
  "nobody wrote it down, as ever.",
  "it said 3.5 metres (e.g. more than before)."
]

const large = small.map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1))

/** A paragraph of about the given number of characters. */
const prose = (sentences: ReadonlyArray<string>, length: number): string => {
  let text = ""
  for (let next = 0; text.length < length; next++)
    text += `${text === "" ? "" : " "}${sentences[next % sentences.length]}`
  return text
}

const own = Tokenizer.make("words", (text) => Math.ceil(text.length / 3) + text.split(" ").length)

describe("breakPoint", () => {
  it.each([
    [
      "a full stop, where sentences begin small",
      "the gauge was read. the wind came up. then it f|ell",
      "the gauge was read. the wind came up."
    ],
    [
      "a stop inside quotes and brackets",
      "it was read (at noon. as *ever.*) then they le|ft",
      "it was read (at noon. as *ever.*)"
    ],
    [
      "a full stop before a line break",
      "the gauge was read.\nthe wind came\nup.\nthen it f|ell",
      "the gauge was read.\nthe wind came\nup."
    ],
    [
      "a stop that the limit falls on",
      "the gauge was read. the wind came up.| then it fell",
      "the gauge was read. the wind came up."
    ],
    [
      "a semicolon before a comma",
      "the gauge was read at noon; wind came up, but f|ell",
      "the gauge was read at noon;"
    ],
    ["a colon before a comma", "the gauge said this today: more wind, less wa|ter", "the gauge said this today:"],
    [
      "a comma before the end of a word",
      "the gauge was read at noon, but nobody wrote a|ll",
      "the gauge was read at noon,"
    ],
    ["a wide comma", "水位计在中午读数，没有人写|了", "水位计在中午读数，"],
    [
      "the end of a word, when there is nothing else",
      "the gauge was read at noon but nobody wrote a|ll",
      "the gauge was read at noon but nobody wrote"
    ],
    ["no abbreviation", "we read them all at noon, e.g. the gauge at si|x", "we read them all at noon,"],
    [
      "no title",
      "the gauge was read. it was read by old dr. miller at no|on",
      "the gauge was read. it was read by old dr. miller at"
    ],
    [
      "no ordinal number",
      "der pegel war hoch. gelesen hat man ihn am 3. oktober a|ls",
      "der pegel war hoch. gelesen hat man ihn am 3. oktober"
    ],
    [
      "no decimal",
      "the gauge was read at noon and it was at 3.5 metres to|day",
      "the gauge was read at noon and it was at 3.5 metres"
    ],
    [
      "no ellipsis",
      "the gauge was read at noon and then... nothing more w|as",
      "the gauge was read at noon and then... nothing more"
    ],
    [
      "no unknown abbreviation next to names",
      "in the report Miller of Delft had his meas. taken at no|on",
      "in the report Miller of Delft had his meas. taken at"
    ],
    [
      "no unknown abbreviation where sentences have capitals",
      "It was read. Then it fell and the meas. was taken a|ll",
      "It was read. Then it fell and the meas. was taken"
    ],
    [
      "a sentence with a capital before all else",
      "The gauge was read at noon. The wind, it came u|p",
      "The gauge was read at noon."
    ]
  ] as const)("cuts at %s", (_, marked, expected) => {
    assert.strictEqual(cut(marked), expected)
  })

  it.effect("cuts text without capitals at the ends of its sentences, as it cuts text with capitals", () =>
    Effect.gen(function* () {
      const built = yield* Tokenizer.Tokenizer
      for (const tokenizer of [built, own]) {
        for (const maxTokens of [64, 200]) {
          const chunks = split(tokenizer, prose(small, 20_000), maxTokens)
          for (const { text } of chunks) assert.match(text.slice(-40), /[.)]$/, `${tokenizer.name} ${maxTokens}`)
          const capitals = split(tokenizer, prose(large, 20_000), maxTokens)
          assert.isAtMost(Math.abs(chunks.length - capitals.length), capitals.length / 10)
        }
      }
    }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
  )

  it.effect("leaves no tiny rest of a long paragraph, whatever its length", () =>
    Effect.gen(function* () {
      const built = yield* Tokenizer.Tokenizer
      const wordy = ["water", "mark", "gauge", "level", "of", "the", "river"]
      for (const tokenizer of [built, own]) {
        for (const sentences of [small, large, wordy]) {
          for (let length = 500; length < 1600; length += 37) {
            const text = prose(sentences, length)
            const chunks = split(tokenizer, text, 100)
            const rest = chunks.at(-1)?.text.length ?? 0
            const before = chunks.at(-2)?.text.length ?? 0
            if (chunks.length > 1) assert.isAbove(rest, before / 6, `${length}: ${rest} of ${before}`)
          }
        }
      }
    }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
  )
})
