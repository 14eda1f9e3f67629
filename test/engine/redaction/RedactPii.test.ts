import { assert, describe, it } from "@effect/vitest"
import { type ParseData, ParseResponse } from "docsluice/ParsedDocument"
import { Client } from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { InternalServerError } from "docsluice/service/ServiceError"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Layer, Schema } from "effect"
import { strToU8 } from "fflate"
import * as NativeEngine from "../../../src/engine/NativeEngine.ts"
import type { Redactor } from "../../../src/engine/redaction/Redactor.ts"
import type { Extension } from "../../../src/internal/base/fileType.ts"
import { sharing } from "../../fixtures/sharing.ts"
import { start, upload } from "../../service/serverFixture.ts"
import * as documents from "../documents.ts"
import { lines, write } from "../pdf/writePdf.ts"
import { leaks } from "./leaks.ts"

const name = "Desmond Okafor.html"

const page = `<!doctype html><html><head><title>Letter of Desmond Okafor</title><meta name="author" content="Priya Pemberton"></head><body><main><h1>Letter</h1><p>Mr <b>Desmond</b> Okafor lives at 12 Maple Street, Springfield.</p><p>Write to <a href="mailto:d.okafor@mail.example">d.okafor@mail.example</a> or call +1 916 552 1234.</p><p>Card 4111 1111 1111 1111, password: Tiger42!x</p><img src="https://example.com/desmond-okafor.png" alt="Desmond Okafor"></main></body></html>`

const values: Readonly<Record<(typeof ParseOptions.PiiEntity.literals)[number], ReadonlyArray<string>>> = {
  PERSON: ["Desmond Okafor"],
  EMAIL: ["d.okafor@mail.example"],
  PHONE: ["+1 916 552 1234"],
  LOCATION: ["12 Maple Street, Springfield"],
  FINANCIAL: ["4111 1111 1111 1111"],
  SECRET: ["Tiger42!x"]
}

const everything = Object.values(values).flat()

const formats = (["markdown", "html", "rawHtml", "links", "images"] as const).map((type) => ({ type }))

const tagged = ParseOptions.PiiEntity.literals.map((entity) => `<${entity}>`)

const parse = (options: ParseOptions.ParseOptions) =>
  Effect.flatMap(Client, (client) =>
    client.parse(SourceFile.fromBytes({ root: "docs", path: name, bytes: strToU8(page) }), {
      formats,
      timeout: 60_000,
      ...options
    })
  ).pipe(Effect.map(({ data }) => data))

const modes = ParseOptions.RedactPIIMode.literals

const styles = ParseOptions.ReplaceStyle.literals

describe("redactPII in process", () => {
  const test = sharing(Embedded.layerEngine().pipe(Layer.provide(NativeEngine.layer({ lanes: 1 }))))

  for (const mode of modes) {
    for (const replaceStyle of styles) {
      test(`leaves nothing in any member: ${mode}, ${replaceStyle}`, () =>
        Effect.gen(function* () {
          const data = yield* parse({ redactPII: { mode, replaceStyle } })
          assert.deepStrictEqual(leaks(data, everything), [])
          assert.isTrue(tagged.every((tag) => data.markdown?.includes(tag) === (replaceStyle === "tag")))
          assert.strictEqual(data.markdown?.includes("*** ***"), replaceStyle === "mask")
          assert.strictEqual(data.metadata.creditsUsed, 5)
          assert.strictEqual(data.metadata.sourceURL?.endsWith(".html"), true)
        }))
    }

    for (const entity of ParseOptions.PiiEntity.literals) {
      test(`redacts ${entity} alone: ${mode}`, () =>
        Effect.gen(function* () {
          const data = yield* parse({ redactPII: { mode, entities: [entity] } })
          const kept = everything.filter((value) => !values[entity].includes(value))
          assert.deepStrictEqual(leaks(data, everything), kept)
        }))
    }
  }

  /** In each language two phones that a slash joins, and a name that goes over a line. */
  const letters: ReadonlyArray<readonly [string, string, string, string, string]> = [
    ["en", "Dear Ms ", "Harriet<br>Ashdown", "phone 020 7946 0958 / 020 7946 0959", "password: Tiger42!x"],
    [
      "de",
      "Frau ",
      "Katharina<br>Thorwald-Meyer",
      "Telefon: 030 / 12 34 56 78 / 0171-2345678",
      "Passwort: Sommer2024!"
    ],
    [
      "fr",
      "Madame ",
      "Camille<br>Delacroix-Fabre",
      "Tél. : 01 42 68 53 00 / 06.12.34.56.78",
      "Mot de passe : Azerty!2023"
    ],
    ["es", "Señora ", "Carmen<br>Arrizabalaga", "Tel. 912 345 678 / 612 345 678", "Contraseña: Gato_Negro99"],
    ["it", "Signora ", "Giulia<br>Bentivoglio", "cell. 347 123 4567 / 02 1234 5678", "La password è: Napoli1926!"],
    ["pl", "Szanowna Pani ", "Anna<br>Wiśniewska", "tel. 601 234 567 / 22 123 45 67", "Hasło: Zima_2022"]
  ]
  for (const mode of modes) {
    for (const [language, title, person, phones, secret] of letters) {
      test(`leaves no joined, broken or split value in any member: ${language}, ${mode}`, () =>
        Effect.gen(function* () {
          const split = `j<b>ane.d</b>oe<i>@split</i>mail.example`
          const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${phones}</title><meta name="description" content="ｊａｎｅ＠ｍａｉｌ．ｅｘａｍｐｌｅ"></head><body><main><p>${title}${person}</p><p>${phones}</p><p>IBAN GB29 NWBK 6016<br>1331 9268 19</p><p>${secret}</p><p>${split}</p><p>ｊａｎｅ＠ｍａｉｌ．ｅｘａｍｐｌｅ, jane@mail.example</p><p>+1 415\u2011555\u20110177</p><p>AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY</p></main></body></html>`
          const file = SourceFile.fromBytes({ root: "docs", path: "letter.html", bytes: strToU8(html) })
          const { data } = yield* Effect.flatMap(Client, ({ parse: call }) =>
            call(file, { formats, timeout: 60_000, redactPII: { mode } })
          )
          const [first = "", last = ""] = person.split("<br>")
          const values = [
            ...phones.split(" / ").map((number) => number.replace(/^\D+/u, "")),
            ...secret.split(": ").slice(1),
            "GB29 NWBK 6016",
            "1331 9268 19",
            "ane.d",
            "splitmail",
            "@split",
            "jane@mail",
            "ｊａｎｅ",
            "555\u20110177",
            "K7MDENG",
            "AKIAIOSFODNN7EXAMPLE",
            first,
            last
          ]
          assert.deepStrictEqual(
            leaks(
              data,
              values.filter((value) => value.length > 3)
            ),
            []
          )
        }))
    }
  }

  test("takes the defaults for true, and warns that they are degraded", () =>
    Effect.gen(function* () {
      const [short, long] = yield* Effect.all([
        parse({ redactPII: true }),
        parse({ redactPII: { mode: "accurate", replaceStyle: "tag", entities: ParseOptions.PiiEntity.literals } })
      ])
      assert.deepStrictEqual(short, long)
      assert.match(short.warning ?? "", /^redactPII: mode "accurate" needs a language model/)
    }))

  test("does not warn where nothing was degraded", () =>
    Effect.gen(function* () {
      for (const mode of ["fast", "aggressive"] as const) {
        assert.isUndefined((yield* parse({ redactPII: { mode } })).warning)
      }
      assert.isUndefined((yield* parse({ redactPII: false })).warning)
    }))

  test("refuses other modes, buckets and styles with 400", () =>
    Effect.gen(function* () {
      const { parse: call } = yield* Client
      const file = SourceFile.fromBytes({ root: "docs", path: name, bytes: strToU8(page) })
      for (const redactPII of [{ mode: "exact" }, { entities: ["AGE"] }, { replaceStyle: "blur" }, { style: "tag" }]) {
        // @ts-expect-error -- the types refuse them too
        const error = yield* Effect.flip(call(file, { redactPII }))
        assert.deepInclude(error, { _tag: "BadRequest", status: 400, code: "BAD_REQUEST" })
      }
    }))
})

const parseWith = (
  filename: string,
  extension: Extension,
  bytes: Uint8Array,
  options: ParseOptions.ParseOptions
): Effect.Effect<ParseData, unknown, Engine> =>
  Effect.flatMap(Engine, (engine) =>
    engine.parse({ filename, extension, bytes }, ParseOptions.resolve({ timeout: 60_000, ...options }))
  ).pipe(Effect.map(({ data }) => data))

describe("redactPII of other documents", () => {
  const test = sharing(NativeEngine.layer({ lanes: 1 }))

  const letter = write({
    info: { Author: "Desmond Okafor", Title: "Letter" },
    pages: [
      { marks: lines(72, 90, ["Dear Ms Holloway,", "call +1 916 552 1234 or write to d.okafor@mail.example."]) },
      { marks: lines(72, 90, ["Kind regards,", "Mr Desmond Okafor, 12 Maple Street, Springfield"]) }
    ]
  })
  const inLetter = ["Holloway", "+1 916 552 1234", "d.okafor@mail.example", "Desmond Okafor", "12 Maple Street"]

  test("moves the blocks of a PDF along with the Markdown, in every style", () =>
    Effect.gen(function* () {
      const parsers = [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }] as const
      for (const replaceStyle of styles) {
        const data = yield* parseWith("letter.pdf", "pdf", letter, {
          parsers,
          redactPII: { mode: "fast", replaceStyle }
        })
        assert.deepStrictEqual(leaks(data, inLetter), [])
        const { blocks, markdown = "", pages } = data
        const items = blocks?.flatMap((each) => each.items) ?? []
        assert.isAbove(items.length, 1)
        assert.strictEqual(pages?.length, 2)
        for (const { bbox, content, markdownSpan } of items) {
          assert.isNotNull(bbox)
          assert.strictEqual(markdownSpan === null ? content : markdown.slice(...markdownSpan), content)
          assert.isNotNull(markdownSpan)
        }
      }
    }))

  const sentences = [
    "Dear Ms Holloway,",
    "Mr Desmond Okafor lives at 12 Maple Street, Springfield.",
    "Call +1 916 552 1234 or write to d.okafor@mail.example.",
    "Card 4111 1111 1111 1111, password: Tiger42!x"
  ]
  const html = sentences.map((line) => `<p>${line}</p>`).join("")
  const word = sentences.map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`).join("")
  const cells = sentences
    .map((line, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>${line}</t></is></c></row>`)
    .join("")
  const inEach: ReadonlyArray<readonly [Extension, Uint8Array]> = [
    ["html", strToU8(`<html><body><main>${html}</main></body></html>`)],
    ["htm", strToU8(html)],
    ["xhtml", strToU8(`<html xmlns="http://www.w3.org/1999/xhtml"><body>${html}</body></html>`)],
    ["pdf", write({ pages: [{ marks: lines(72, 90, sentences) }] })],
    ["docx", documents.docx(word)],
    ["xlsx", documents.xlsx(cells)],
    ["csv", strToU8(sentences.map((line, at) => `${at},"${line}"\n`).join(""))],
    ["rtf", strToU8(`{\\rtf1\\ansi ${sentences.join("\\par ")}}`)]
  ]
  for (const [extension, bytes] of inEach) {
    test(`leaves nothing in a .${extension} file`, () =>
      Effect.gen(function* () {
        const plain = yield* parseWith(`x.${extension}`, extension, bytes, {})
        const known = [...everything, "Holloway"]
        assert.deepStrictEqual(leaks(plain, known), known)
        const data = yield* parseWith(`x.${extension}`, extension, bytes, { redactPII: { mode: "fast" } })
        assert.deepStrictEqual(leaks(data, known), [])
      }))
  }

  test("finds an address with parts in bold and italics in the Markdown too", () =>
    Effect.gen(function* () {
      const split = strToU8("<p>Write to j<b>ane.d</b>oe<i>@split</i>mail.example or p<i>ri</i>ya@mail.example</p>")
      const data = yield* parseWith("x.html", "html", split, { redactPII: { mode: "fast" } })
      assert.match(data.markdown?.trim() ?? "", /^Write to <EMAIL>[*]* or <EMAIL>[*]*$/)
    }))

  test("redacts the columns of a sheet and the properties of an office document", () =>
    Effect.gen(function* () {
      const sheet = "name;mail;order\nXaver Qorb;x@mail.example;ORD-20261122\n"
      const rows = yield* parseWith("x.csv", "csv", strToU8(sheet), { redactPII: { mode: "fast" } })
      assert.deepStrictEqual(leaks(rows, ["x@mail.example"]), [])
      assert.include(rows.markdown, "ORD-20261122")
      const word = yield* parseWith("x.docx", "docx", documents.docx(), { redactPII: { mode: "fast" } })
      assert.strictEqual(word.metadata["author"], "<PERSON>")
    }))

  test("answers 408 when the time is up, and nothing that is not redacted", () =>
    Effect.gen(function* () {
      const long = strToU8(`<p>${"Dear Ms Holloway, call +1 916 552 1234. ".repeat(100_000)}</p>`)
      const error = yield* Effect.flip(parseWith("x.html", "html", long, { timeout: 600, redactPII: { mode: "fast" } }))
      assert.deepInclude(error, { _tag: "RequestTimeout", status: 408 })
    }))
})

describe("redactPII with a model", () => {
  const text = `<p>Xaver lives in Nowhere and writes to x@mail.example.</p><p>&lt;PERSON&gt;${" b".repeat(20)}</p>`

  const asked: Array<string> = []
  const spansOf = (word: string) => (input: string) => {
    asked.push(input)
    const start = input.indexOf(word)
    return Effect.succeed(start < 0 ? [] : [{ entity: "PERSON", start, end: start + word.length } as const])
  }
  const model: { find: Redactor["find"] } = { find: spansOf("Xaver") }
  const redactor: Redactor = { name: "scripted 1", find: (input, wanted) => model.find(input, wanted) }

  const test = sharing(NativeEngine.layer({ lanes: 1, redactor }))

  const withModel = (find: Redactor["find"], redactPII: ParseOptions.ParseOptions["redactPII"]) => {
    model.find = find
    return parseWith("Xaver.html", "html", strToU8(text), { formats, redactPII })
  }

  test("redacts what the model finds in every member, without a warning", () =>
    Effect.gen(function* () {
      const data = yield* withModel(spansOf("Xaver"), { mode: "accurate" })
      assert.deepStrictEqual(leaks(data, ["Xaver"]), [])
      assert.deepStrictEqual(leaks(data, ["x@mail.example"]), ["x@mail.example"])
      assert.isUndefined(data.warning)
      assert.include(asked[0], "Xaver lives in Nowhere")
      assert.include(asked[1], "Xaver.html")
    }))

  test("joins it with the rules in mode aggressive, and does not ask it in mode fast", () =>
    Effect.gen(function* () {
      const both = yield* withModel(spansOf("Xaver"), { mode: "aggressive" })
      assert.deepStrictEqual(leaks(both, ["Xaver", "x@mail.example"]), [])
      const before = asked.length
      const fast = yield* withModel(spansOf("Xaver"), { mode: "fast" })
      assert.deepStrictEqual(leaks(fast, ["x@mail.example"]), [])
      assert.strictEqual(asked.length, before)
    }))

  test("fails with the model's error, and with a 500 when it answers with another place", () =>
    Effect.gen(function* () {
      const broken = new InternalServerError({ status: 500, error: "the model is down" })
      assert.deepStrictEqual(yield* Effect.flip(withModel(() => broken, true)), broken)
      const outside = withModel(
        (input) => Effect.succeed([{ entity: "PERSON", start: 0, end: input.length + 1 }]),
        true
      )
      assert.deepInclude(yield* Effect.flip(outside), { _tag: "InternalServerError", status: 500 })
    }))

  test("fails with a 500 when a value cannot be removed", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(withModel(spansOf("<PERSON> b"), true))
      assert.deepInclude(error, { _tag: "DocumentUnparsable", status: 500 })
      assert.match(String(error), /could not be redacted/)
    }))

  it.scoped("is named in the version of the engine", () =>
    Effect.gen(function* () {
      const [plain, model] = yield* Effect.all([NativeEngine.make(), NativeEngine.make({ redactor })])
      assert.include(plain.version, "redaction@")
      assert.strictEqual(model.version, `${plain.version} redactor scripted 1`)
    })
  )
})

describe("redactPII over HTTP", () => {
  it.scopedLive("answers as in process, with a redacted file name", () =>
    Effect.gen(function* () {
      const base = yield* start({ engine: "native" })
      const ask = (redactPII: unknown) => upload(base, { name, bytes: page, options: { formats, redactPII } })
      for (const mode of modes) {
        for (const replaceStyle of styles) {
          const { body, status } = yield* ask({ mode, replaceStyle })
          assert.strictEqual(status, 200)
          const { data } = Schema.decodeUnknownSync(ParseResponse)(body)
          assert.deepStrictEqual(leaks(body, everything), [])
          assert.strictEqual(data.metadata.creditsUsed, 5)
          assert.strictEqual(data.warning !== undefined, mode === "accurate")
        }
        for (const entity of ParseOptions.PiiEntity.literals) {
          const { body } = yield* ask({ mode, entities: [entity] })
          assert.deepStrictEqual(leaks(body, values[entity]), [])
        }
      }
      assert.strictEqual((yield* ask(true)).status, 200)
      const plain = Schema.decodeUnknownSync(ParseResponse)((yield* ask(false)).body)
      assert.strictEqual(plain.data.metadata.sourceURL, name)
      for (const wrong of [
        "yes",
        { mode: "exact" },
        { entities: ["AGE"] },
        { replaceStyle: "blur" },
        { style: "tag" }
      ]) {
        const { body, status } = yield* ask(wrong)
        assert.strictEqual(status, 400)
        assert.deepInclude(body, { success: false, code: "BAD_REQUEST" })
      }
    })
  )
})
