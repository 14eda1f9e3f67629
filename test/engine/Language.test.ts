import { assert, describe, it } from "@effect/vitest"
import * as Language from "../../src/engine/Language.ts"

const texts = {
  en: "The committee met in the spring to discuss the new rules for the harbour, and most of its members were in favour of them.",
  de: "Der Ausschuss trat im Frühjahr zusammen, um die neuen Regeln für den Hafen zu besprechen, und die meisten waren dafür.",
  fr: "Le comité s'est réuni au printemps pour discuter des nouvelles règles du port, et la plupart des membres y étaient favorables.",
  es: "El comité se reunió en primavera para hablar de las nuevas normas del puerto, y la mayoría de los miembros estaba a favor.",
  ru: "Комитет собрался весной, чтобы обсудить новые правила порта, и большинство его членов высказались за них.",
  ja: "委員会は春に集まり、港の新しい規則について話し合いました。委員の多くはそれに賛成しました。",
  zh: "委员会在春天开会讨论港口的新规定，大多数委员表示赞成，只有少数人反对这些规定。",
  ar: "اجتمعت اللجنة في الربيع لمناقشة القواعد الجديدة للميناء، وكان معظم أعضائها مؤيدين لها."
}

describe("Language", () => {
  for (const [language, text] of Object.entries(texts)) {
    it(`finds ${language}`, () => {
      assert.strictEqual(Language.detect(text), language)
      assert.strictEqual(Language.detect(`| a | b |\n| --- | --- |\n\n${text}`), language)
    })
  }

  it("names none for a short text, a list of names, code and tables", () => {
    for (const text of [
      "Hello there",
      "Sheet 1\n".repeat(40),
      `\`\`\`\n${texts.en}\n\`\`\`\n`,
      `| ${texts.en} |\n`.repeat(3)
    ]) {
      assert.isUndefined(Language.detect(text))
    }
  })

  it("keeps the language that the document states", () => {
    assert.deepStrictEqual(Language.completed({ language: "pt-BR" }, texts.en), { language: "pt-BR" })
    assert.deepStrictEqual(Language.completed({ language: "" }, texts.en), { language: "en" })
  })
})
