import { assert, describe, it } from "@effect/vitest"
import * as Terms from "docsluice/Terms"
import { FastCheck, Schema } from "effect"
import { scripts, stem, stemmable } from "../src/internal/terms/stemmers.ts"

const capitals = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

const pairs = capitals.flatMap((first) => capitals.map((second) => first + second))

const codes = [
  { type: "region", all: pairs },
  { type: "language", all: pairs.map((pair) => pair.toLowerCase()) },
  { type: "currency", all: pairs.flatMap((pair) => capitals.map((third) => pair + third)) }
] as const

/** Words of the names of regions, languages and currencies in every language that has a stemmer. */
const names = (): ReadonlySet<string> =>
  new Set(
    stemmable.flatMap((language) =>
      codes.flatMap(({ all, type }) => {
        const named = new Intl.DisplayNames([language], { type, fallback: "none" })
        return all.flatMap(
          (code) =>
            named
              .of(code)
              ?.toLowerCase()
              .match(/[\p{L}\p{M}]+/gu) ?? []
        )
      })
    )
  )

/** Letters of the basic plane that belong to a script. */
const lettersOf = (script: RegExp): ReadonlyArray<string> =>
  Array.from({ length: 0xd800 }, (_, unit) => String.fromCharCode(unit)).filter(
    (letter) => script.test(letter) && /\p{L}/u.test(letter) && letter === letter.toLowerCase()
  )

const alphabets = scripts[2].map(({ languages, letters }) => ({ languages, letters: lettersOf(letters) }))

const held = (text: string): ReadonlySet<string> => new Set(Terms.places(text).flatMap(({ terms }) => terms))

/** Words of a query that a text holds. */
const matching = (query: string, text: string): ReadonlyArray<string> => {
  const terms = held(text)
  return Terms.sought(query)
    .filter((one) => one.kind === "word" && one.terms.some((term) => terms.has(term)))
    .map((one) => one.terms[0] ?? "")
}

describe("Terms", () => {
  it.each([
    ["libraries", "The library is open, and it has a garden."],
    ["Häuser", "Das Haus ist alt, und es steht am Fluss."],
    ["chevaux", "Le cheval est dans la cour."],
    ["caballos", "El caballo está en el campo y no come."],
    ["книгами", "На столе лежит новая книга, и она не моя."],
    ["böckerna", "Det är en bok som jag har läst, och böcker är bra."],
    ["strasse", "Die Straße ist gesperrt."],
    ["NAIVE", "It was naïve of him to think so."],
    ["ＡＢＣ", "The abc of it."],
    ["m2", "An area of 5 m² in all."],
    ["H2O", "It is H₂O."],
    ["m^2", "An area of 5 m² in all."],
    ["10^6", "A rate of 10⁶ a day."],
    ["10^-6", "A rate of 10⁻⁶ a day."],
    ["10⁶", "A rate of 10⁶ a day."],
    ["首都", "中华人民共和国的首都是北京。"],
    ["天気", "明日の天気は晴れです。"],
    ["도서관", "우리는 도서관에서 책을 빌렸습니다."],
    ["หนังสือ", "พวกเขายืมหนังสือเมื่อวานนี้"]
  ])("finds %s in: %s", (query, text) => {
    const terms = held(text)
    assert.isTrue(Terms.sought(query).some((one) => one.terms.some((term) => terms.has(term))))
  })

  it("stems a word of a query by the language that the query shows, and by every language of the script otherwise", () => {
    const stems = (query: string, word: string) =>
      Terms.sought(query)
        .find(({ terms }) => terms[0] === word)
        ?.terms.flatMap((term) => term.split("¦").slice(1))
    assert.deepEqual(stems("What is the name of the houses?", "houses"), ["en"])
    assert.deepEqual(stems("Wie hoch sind die Häuser?", "hauser"), ["de"])
    assert.includeMembers([...(stems("houses", "houses") ?? [])], ["en", "de", "fr"])
  })

  it("does not find a word by the stem that it has in another language", () => {
    const text = "El caballo está en el campo y no come."
    assert.deepEqual(matching("¿Dónde están los caballos?", text), ["caballos"])
    assert.deepEqual(matching("What are the caballos?", text), [])
  })

  it("takes the language that is declared where the text shows none", () => {
    const terms = (language?: string) => Terms.places("Häuser Verträge", language).flatMap((place) => place.terms)
    assert.include(terms("de-AT"), "haus¦de")
    assert.notInclude(terms(), "haus¦de")
    assert.include(
      Terms.places("The houses are on the hill, and they are old.", "de").flatMap((place) => place.terms),
      "hous¦en"
    )
  })

  it("keeps words that punctuation joins as one more term", () => {
    assert.include([...held("the E-PRTR of 1.2.3")], "eprtr")
    assert.include([...held("the E-PRTR of 1.2.3")], "1·2·3")
    assert.include([...held("E_PRTR")], "eprtr")
  })

  it("marks function words as idle", () => {
    const idle = Terms.sought("How often is the gauge cleaned?").filter((one) => one.idle)
    assert.deepEqual(
      idle.map(({ terms }) => terms[0]),
      ["how", "often", "is", "the"]
    )
  })

  it.prop("gives places within the text, in order, that hold what they say", [Schema.String], ([text]) => {
    let last = 0
    for (const { end, start, terms } of Terms.places(text)) {
      assert.isTrue(start >= 0 && start < end && end <= text.length && terms.length > 0)
      assert.isTrue(terms.every((term) => term !== "" && !/\s|\p{Surrogate}/u.test(term)))
      assert.isAtLeast(end, last === 0 ? 0 : 1)
      last = end
    }
  })

  it.prop(
    "has no term without a letter, whatever marks and letters stand together",
    [
      FastCheck.array(FastCheck.constantFrom(..."ـ ʼ ً ́ ̈ ֑ ़ - ' . a1 ا ہ क ש é".split(" "), " ")).map((all) =>
        all.join("")
      )
    ],
    ([text]) => {
      for (const version of Terms.versions) {
        const { text: terms } = Terms.fields({ text, source: "", headingPath: [], metadata: {} }, version)
        for (const term of [...terms, ...Terms.sought(text, version).flatMap((one) => one.terms)]) {
          assert.match(term, /^[^\s¦]+/u)
        }
      }
    }
  )

  it("leaves out words of marks alone: what stretches an Arabic word, or stands for a vowel", () => {
    assert.deepEqual(Terms.places("ـ ʼ ـ-ـ"), [])
    assert.deepEqual(Terms.sought("ـ"), [])
    assert.deepEqual(
      Terms.places("فريق ـ لعب").map(({ start }) => start),
      [0, 7]
    )
  })

  it.prop("finds every word of a text in the text itself", [Schema.String], ([text]) => {
    const terms = held(text)
    for (const { terms: wanted } of Terms.sought(text)) assert.isTrue(wanted.some((term) => terms.has(term)))
  })

  it.prop(
    "gives the terms of a field as one text with the same terms, whatever their version",
    [Schema.String],
    ([text]) => {
      const chunk = {
        text,
        source: "notes/Tax-2024.md",
        headingPath: [{ text: "Häuser" }],
        metadata: { title: "E-mail" }
      }
      for (const version of Terms.versions) {
        const { headings, source, text: own } = Terms.fields(chunk, version)
        assert.deepEqual(Terms.texts(chunk, version), {
          text: own.join(" "),
          headings: headings.join(" "),
          source: source.join(" ")
        })
      }
    }
  )

  it("finds the same words whether they stand in ASCII or next to other letters", () => {
    const termsOf = (text: string) => Terms.places(text, "en", 2).flatMap(({ terms }) => terms)
    assert.deepEqual(termsOf("running—shoes 東京 houses"), [
      ...termsOf("running"),
      ...termsOf("shoes"),
      ...termsOf("東京"),
      ...termsOf("houses")
    ])
    assert.deepEqual(termsOf("cafe\u0301s e\u0301te"), [...termsOf("cafés"), ...termsOf("éte")])
  })

  it("gives every word a stem in every language, also where the stemmer of the language throws", () => {
    const all = names()
    assert.isAbove(all.size, 10_000)
    for (const language of stemmable) for (const word of all) assert.notStrictEqual(stem(word, language), "")
  })

  it.prop(
    "stems whatever is written in the letters of a script",
    [Schema.Array(Schema.Int.pipe(Schema.between(0, 0xffff))).pipe(Schema.maxItems(12))],
    ([units]) => {
      for (const { languages, letters } of alphabets) {
        const word = units.map((unit) => letters[unit % letters.length]).join("")
        for (const language of languages) assert.strictEqual(typeof stem(word, language), "string")
      }
    }
  )

  it("keeps a word as it is where its stemmer fails, and finds it and the words around it", () => {
    const text = "Нашите учители са в новата книга за обединени градове."
    assert.deepEqual(matching("учители и книга", text), ["учители", "книга"])
    assert.include([...held(text)], "учители¦bg")
  })

  it("takes at most 64 words of a query, and of a word at most 64 units", () => {
    assert.lengthOf(Terms.sought(Array.from({ length: 200 }, (_, at) => `word${at}`).join(" ")), 64)
    assert.isTrue(Terms.places("a".repeat(10_000)).every(({ terms }) => terms.every((term) => term.length < 70)))
  })
})
