import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { PiiEntity } from "docsluice/service/ParseOptions"
import { Schema } from "effect"
import * as HtmlView from "../../../src/engine/redaction/HtmlView.ts"
import * as MarkdownView from "../../../src/engine/redaction/MarkdownView.ts"
import * as Rules from "../../../src/engine/redaction/Rules.ts"
import { hostileNames, hostileText } from "./hostile.ts"

const Sample = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      language: Schema.String,
      shape: Schema.String,
      text: Schema.String,
      spans: Schema.Array(Schema.Struct({ bucket: PiiEntity, start: Schema.Int, end: Schema.Int }))
    })
  )
)

const sample = Schema.decodeUnknownSync(Sample)(readFileSync(new URL("sample.json", import.meta.url), "utf8"))

const modes = ["fast", "aggressive"] as const

/** `ENTITY value` of each span. */
const found = (text: string, mode: "fast" | "aggressive" = "fast"): ReadonlyArray<string> =>
  Rules.find(text, mode).map(({ end, entity, start }) => `${entity} ${text.slice(start, end)}`)

/** Counts of one bucket: labelled spans, those that are found, spans found, those that are labelled. */
const tally = (bucket: string, mode: "fast" | "aggressive") => {
  const counts = { labelled: 0, recalled: 0, found: 0, right: 0 }
  for (const { shape, spans, text } of sample) {
    const view = shape === "html" ? HtmlView.make(text).content : MarkdownView.make(text)
    const given = Rules.find(view.text, mode)
      .filter(({ entity }) => entity === bucket)
      .map(({ end, start }) => view.ranges(start, end))
      .map((ranges) => ({ start: ranges[0]?.[0] ?? 0, end: ranges.at(-1)?.[1] ?? 0 }))
    const wanted = spans.filter((span) => span.bucket === bucket)
    const meets = (left: { start: number; end: number }, right: { start: number; end: number }) =>
      left.start < right.end && right.start < left.end
    counts.labelled += wanted.length
    counts.recalled += wanted.filter((span) => given.some((other) => meets(span, other))).length
    counts.found += given.length
    counts.right += given.filter((span) => wanted.some((other) => meets(span, other))).length
  }
  return counts
}

describe("the rules on the sample of the labelled set", () => {
  for (const mode of modes) {
    for (const bucket of PiiEntity.literals) {
      const least = bucket === "PERSON" || bucket === "LOCATION" ? 0.5 : 0.85
      it(`find ${bucket} with a precision and a recall of at least ${least} in mode ${mode}`, () => {
        const counts = tally(bucket, mode)
        assert.isAbove(counts.labelled, 15)
        assert.isAtLeast(counts.recalled / counts.labelled, least)
        assert.isAtLeast(counts.right / counts.found, least)
      })
    }
  }
})

describe("what the rules find", () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["write to ada.lovelace+x@mail.example.co.uk.", "EMAIL ada.lovelace+x@mail.example.co.uk"],
    ["ada (at) example (dot) org", "EMAIL ada (at) example (dot) org"],
    ["müller@bücher.example", "EMAIL müller@bücher.example"],
    ["Call (916) 552-1234 today", "PHONE (916) 552-1234"],
    ["Mobiltelefon: 0176 23456789", "PHONE 0176 23456789"],
    ["+49 (0)30 23123456", "PHONE +49 (0)30 23123456"],
    ["IBAN DE89 3704 0044 0532 0130 00, danke", "FINANCIAL DE89 3704 0044 0532 0130 00"],
    ["card 4111-1111-1111-1111", "FINANCIAL 4111-1111-1111-1111"],
    ["SSN 536-22-8726", "FINANCIAL 536-22-8726"],
    ["DNI 12345678Z", "FINANCIAL 12345678Z"],
    ["BSN: 111222333", "FINANCIAL 111222333"],
    ["key AKIAIOSFODNN7EXAMPLQ", "SECRET AKIAIOSFODNN7EXAMPLQ"],
    ["postgres://app:s3cr3t!pw@db/x", "SECRET s3cr3t!pw"],
    ["DB_PASSWORD=Tiger42!x", "SECRET Tiger42!x"],
    ["Das Passwort lautet Sommer_99x.", "SECRET Sommer_99x"],
    ["Herr Jürgen Brinkmann kommt", "PERSON Jürgen Brinkmann"],
    ["Dear Ms Holloway,", "PERSON Holloway"],
    ["Jürgen Schäfer kam".normalize("NFD"), "PERSON Jürgen Schäfer".normalize("NFD")],
    ["Regards,\nOlivia Whitfield", "PERSON Olivia Whitfield"],
    ["| Employee |\n| --- |\n| Zoltan Xarqa |", "PERSON Zoltan Xarqa"],
    ["at 12 Maple Street, Springfield, tomorrow", "LOCATION 12 Maple Street, Springfield"],
    ["Lindenstraße 12, 33602 Bielefeld", "LOCATION Lindenstraße 12, 33602 Bielefeld"],
    ["12 bis rue des Lilas, 38000 Grenoble", "LOCATION 12 bis rue des Lilas, 38000 Grenoble"],
    ["via Garibaldi, 7, 24121 Bergamo", "LOCATION via Garibaldi, 7, 24121 Bergamo"],
    ["Berliner Allee 45, 40212 Düsseldorf", "LOCATION Berliner Allee 45, 40212 Düsseldorf"],
    ["Keizersgracht 123-II, 1015 CJ Amsterdam", "LOCATION Keizersgracht 123-II, 1015 CJ Amsterdam"],
    ["ul. Marszałkowska 10, 00-590 Warszawa", "LOCATION ul. Marszałkowska 10, 00-590 Warszawa"],
    ["Dhr. P. de Vries komt", "PERSON P. de Vries"],
    ['{"user": {"firstName": "Zara", "phone": "+13105550147"}, "id": 7}', "PERSON Zara"],
    ["C.F. RSSGLI80A41F205X", "FINANCIAL RSSGLI80A41F205X"],
    ["personnummer 811218-9876", "FINANCIAL 811218-9876"],
    ["Passport No: C01X00T47", "FINANCIAL C01X00T47"],
    ["Dundee, TX 48949", "LOCATION Dundee, TX 48949"],
    ["she lives in Leicester.", "LOCATION Leicester"],
    ["IBAN GB29 NWBK 6016\n1331 9268 19", "FINANCIAL GB29 NWBK 6016\n1331 9268 19"],
    ["IBAN DE89 3704 0044\\\n0532 0130 00", "FINANCIAL DE89 3704 0044\\\n0532 0130 00"],
    ["Frau Wiebke\nThorwald-Meyer", "PERSON Wiebke\nThorwald-Meyer"],
    ["Szanowna Pani Katarzyno Wiśniewska,", "PERSON Katarzyno Wiśniewska"],
    ["call 415\u2011555\u20110177 now", "PHONE 415\u2011555\u20110177"],
    ["ｙａｍａｄａ＠ｒｅｉ．ｊｐ", "EMAIL ｙａｍａｄａ＠ｒｅｉ．ｊｐ"],
    ["パスワード：Sakura!88", "SECRET Sakura!88"],
    [
      "AWS: AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "SECRET wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    ]
  ]
  for (const [text, value] of rows) {
    it(`is ${JSON.stringify(value)} in ${JSON.stringify(text)}`, () => {
      assert.include(found(text), value)
    })
  }

  /** Two numbers of each country, joined by a slash. */
  const joined: ReadonlyArray<readonly [string, string, string]> = [
    ["Tél. : ", "01 42 68 53 00", "06.12.34.56.78"],
    ["tel. ", "601 234 567", "22 123 45 67"],
    ["Tel. ", "912 345 678", "612 345 678"],
    ["phone ", "020 7946 0958", "020 7946 0959"],
    ["Telefon ", "030 / 12 34 56 78", "0171-2345678"],
    ["cell. ", "347 123 4567", "02 1234 5678"],
    ["", "+49 30 901820", "+49 171 2345678"]
  ]
  for (const [label, first, second] of joined) {
    it(`is each of the phone numbers in ${JSON.stringify(`${label}${first} / ${second}`)}`, () => {
      for (const slash of [" / ", "/"]) {
        for (const mode of modes) {
          const text = `${label}${first}${slash}${second}`
          const rest = Rules.find(text, mode).reduceRight(
            (left, { end, start }) => left.slice(0, start) + left.slice(end),
            text
          )
          assert.notMatch(rest, /\d/u, `${mode}: ${text}`)
        }
      }
    })
  }

  it("is no city on the line after a first name", () => {
    assert.deepStrictEqual(found("Frau Maria\nBerlin"), ["PERSON Maria"])
  })

  it("is more in mode aggressive: first names alone, cities anywhere, runs of much entropy", () => {
    const text = "Ludovica liked Bergamo. zQ3v7LmX0pRt9sKd2WbYc8Nf"
    assert.deepStrictEqual(found(text), [])
    assert.deepStrictEqual(found(text, "aggressive"), [
      "PERSON Ludovica",
      "LOCATION Bergamo",
      "SECRET zQ3v7LmX0pRt9sKd2WbYc8Nf"
    ])
  })
})

describe("what the rules leave alone", () => {
  const traps = [
    "Order 2026-123456, order no. 4111111111111112",
    "ISBN 978-3-16-148410-0",
    "version 12.14.3 of package@1.2.3, icon@2x.png",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "request 1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "on 12.03.2026 at 10:11, from 2026-03-12 to 12/03/2026",
    "host 192.168.100.200, port 5432",
    "tracking 1Z999AA10123456784",
    "1 250 000 inhabitants, 12,500.00 USD",
    "a password is required, the token expired",
    "Black Forest Bakery Ltd",
    "Contact Us, Tell Me Why, Manager Tools",
    "const key = options.then(result)",
    'article class="epub-type-contains-word-z3998-poem"',
    "pages 12/13/14/15, 3/4, 1/2/3/4/5/6/7/8/9/10/11",
    "AKI 12 wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEYab"
  ]
  for (const trap of traps) {
    it(`are ${JSON.stringify(trap)}`, () => {
      assert.deepStrictEqual(found(trap), [])
    })
  }
})

describe("hostile text of 1 MB", () => {
  for (const name of hostileNames) {
    it(`is read to its end: ${name}`, () => {
      const text = hostileText(name, 1_000_000)
      const html = HtmlView.make(text)
      const spans = Rules.find(MarkdownView.make(text).text, "aggressive")
      assert.isAtMost(html.content.text.length, 2 * text.length)
      let end = 0
      for (const span of spans) {
        assert.isAtLeast(span.start, end)
        end = span.end
      }
    })
  }
})
