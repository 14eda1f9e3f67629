import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import { ids, type Item, msg, winmail } from "../fixtures/outlook.ts"
import { runs } from "../fixtures/seed.ts"
import { parse, pathsOf } from "./reading.ts"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const sent = new Date("2024-10-01T08:00:00Z")

const person = (name: string, address: string, kind: number): Item => ({
  values: [
    [ids.name, name],
    [ids.smtpAddress, address],
    [ids.recipientKind, kind]
  ]
})

const file = (name: string, mime: string, content: Uint8Array): Item => ({
  values: [
    [ids.longFile, name],
    [ids.mime, mime],
    [ids.data, content]
  ]
})

const rain: Item = {
  values: [
    [ids.subject, "Résumé of rain"],
    [ids.senderName, "Zoë Ek"],
    [ids.senderAddress, "/O=EXAMPLE/CN=ZOE"],
    [ids.senderSmtp, "zoe@example.org"],
    [ids.submitted, sent],
    [ids.messageId, "<1@example.org>"],
    [ids.body, "It rained in Malmö.\r\n\r\n# no heading\r\n"]
  ],
  recipients: [
    person("Ann", "ann@example.org", 1),
    person("bo@example.org", "bo@example.org", 1),
    person("Cy", "cy@example.org", 2)
  ],
  attachments: [file("rain.pdf", "application/pdf", utf8("hello"))]
}

const unlf = (text: string): string => text.replaceAll("\r\n", "\n").trim()

/** LZFu without a reference: each byte as it is. */
const compressed = (rtf: string): Uint8Array => {
  const content = Buffer.from(rtf, "latin1")
  const groups = Array.from({ length: Math.ceil(content.length / 8) }, (_, at) =>
    Buffer.concat([Buffer.of(0), content.subarray(8 * at, 8 * at + 8)])
  )
  const head = Buffer.alloc(16)
  const packed = Buffer.concat(groups)
  head.writeUInt32LE(packed.length + 12, 0)
  head.writeUInt32LE(content.length, 4)
  head.write("LZFu", 8)
  return Buffer.concat([head, packed])
}

const bodyOf = (item: Item["values"]) =>
  Effect.map(parse("a.msg", msg({ values: [[ids.senderSmtp, "a@example.org"], ...item] })), ({ markdown }) =>
    unlf(markdown.replace(/^From: .*\n*/u, ""))
  )

describe("a message of Outlook", () => {
  it.effect("is its subject, headers, body and a list of attachments, as any other mail", () =>
    Effect.gen(function* () {
      const { markdown, metadata, warnings } = yield* parse("a.msg", msg(rain))
      assert.strictEqual(
        unlf(markdown),
        "# Résumé of rain\n\nFrom: Zoë Ek <zoe@example.org>\nTo: Ann <ann@example.org>, <bo@example.org>\nCc: Cy <cy@example.org>\nDate: 2024-10-01T08:00:00.000Z\n\nIt rained in Malmö.\n\n# no heading\n\nAttachments:\n\n- rain.pdf (application/pdf, 5 bytes)"
      )
      assert.deepInclude(metadata, {
        title: "Résumé of rain",
        date: sent.toISOString(),
        messageId: "<1@example.org>",
        attachments: ["rain.pdf"],
        contentType: "application/vnd.ms-outlook"
      })
      assert.deepEqual(warnings, [])
      const deep = yield* parse("a.msg", msg({ ...rain, attachments: [file("a.bin", "", new Uint8Array(90_000))] }))
      assert.include(deep.markdown, "- a.bin (application/octet-stream, 90000 bytes)")
    })
  )

  it.effect("has texts of one byte a character in the code page that it says, or in windows-1252", () =>
    Effect.gen(function* () {
      const old = (...bytes: ReadonlyArray<number>) => ({ ansi: Uint8Array.of(...bytes) })
      assert.strictEqual(yield* bodyOf([[ids.body, old(0x80, 0xe9, 0)]]), "€é")
      assert.strictEqual(yield* bodyOf([[ids.body, old(0xcf, 0xf0)], [ids.messagePage, 1251]]), "Пр") // prettier-ignore
      assert.strictEqual(yield* bodyOf([[ids.body, old(0x93, 0xfa)], [ids.internetPage, 932]]), "日") // prettier-ignore
      assert.strictEqual(yield* bodyOf([[ids.body, old(0xe9)], [ids.internetPage, 99_999]]), "é") // prettier-ignore
    })
  )

  it.effect("without a text is its page, and without both what is in its compressed RTF", () =>
    Effect.gen(function* () {
      const page = "<h2>Räin</h2><p>It <b>rained</b>.</p>"
      const markdown = "## Räin\n\nIt **rained**."
      assert.strictEqual(yield* bodyOf([[ids.html, utf8(page)]]), markdown)
      assert.strictEqual(yield* bodyOf([[ids.html, page]]), markdown)
      const latin = Buffer.from(page, "latin1")
      assert.strictEqual(yield* bodyOf([[ids.html, latin], [ids.internetPage, 28_591]]), markdown) // prettier-ignore
      const rtf =
        "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}\\pard R\\'e4in\\par\r\nin \\u26085?{\\b Japan}\\par}"
      assert.strictEqual(yield* bodyOf([[ids.rtf, compressed(rtf)]]), "Räin\nin 日Japan")
      const wrapped =
        "{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\b \\htmlrtf0 It {\\*\\htmltag84 <b>}rained{\\*\\htmltag92 </b>}.\\htmlrtf }\\htmlrtf0{\\*\\htmltag72 </p>}}"
      assert.strictEqual(yield* bodyOf([[ids.rtf, compressed(wrapped)]]), "It **rained**.")
    })
  )

  it.effect("reads references of compressed RTF, also to the text before the first byte", () =>
    Effect.gen(function* () {
      // The example of [MS-OXRTFCP] 4.1.1.
      const packed = Buffer.from(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af320 68656c090020627705b06c647d0a800fa0".replaceAll(
          " ",
          ""
        ),
        "hex"
      )
      assert.strictEqual(yield* bodyOf([[ids.rtf, packed]]), "hello world")
    })
  )

  it.effect("lists a message in it by its subject, with all that is in that one", () =>
    Effect.gen(function* () {
      const inner: Item = { values: [], message: { ...rain, attachments: [{ values: [], message: rain }] } }
      const { markdown, metadata } = yield* parse("a.msg", msg({ values: [[ids.body, "See."]], attachments: [inner] }))
      assert.match(markdown, /^See\.\n\nAttachments:\n\n- Résumé of rain \(message\/rfc822, \d+ bytes\)$/u)
      assert.deepInclude(metadata, { attachments: ["Résumé of rain"] })
    })
  )

  it.effect("that is mail of another program, or no message, is read as such", () =>
    Effect.gen(function* () {
      const other = yield* parse("a.msg", "From: a@example.org\r\nSubject: x\r\n\r\nWords.\r\n")
      assert.strictEqual(unlf(other.markdown), "# x\n\nFrom: <a@example.org>\n\nWords.")
      const none = yield* parse("a.msg", "Words.")
      assert.strictEqual(none.markdown, "Words.")
      assert.match(none.warnings.join(), /no message/u)
      assert.deepEqual((yield* pathsOf("a.msg", "Words.")).length, 1)
    })
  )

  it.effect.prop(
    "that is damaged is read as far as it goes, or refused",
    [fc.array(fc.tuple(fc.nat(60_000), fc.constantFrom(0, 1, 2, 3, 127, 254, 255)), { maxLength: 12 }), fc.nat(60_000)],
    ([changes, end]) =>
      Effect.gen(function* () {
        const sound = msg({ ...rain, attachments: [...(rain.attachments ?? []), { values: [], message: rain }] })
        const bytes = new Uint8Array(sound)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        for (const content of [bytes, bytes.subarray(0, end % bytes.length)]) {
          const read = yield* Effect.either(parse("a.msg", content))
          if (Either.isLeft(read)) assert.strictEqual(read.left._tag, "TextUnreadable")
        }
      }),
    { fastCheck: { numRuns: runs(200) } }
  )
})

describe("winmail.dat", () => {
  const mailWith = (dat: Uint8Array, text = "") =>
    [
      "Subject: x",
      "From: a@example.org",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      text,
      "--b",
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(dat).toString("base64"),
      "--b--",
      ""
    ].join("\r\n")

  it.effect("is opened: its attachments are those of the mail, and its body that of a mail without one", () =>
    Effect.gen(function* () {
      const dat = winmail({ ...rain, attachments: [...(rain.attachments ?? []), { values: [], message: rain }] })
      const { markdown, metadata, warnings } = yield* parse("a.eml", mailWith(dat))
      assert.match(
        unlf(markdown),
        /^# x\n\nFrom: <a@example.org>\n\nIt rained in Malmö\.\n\n# no heading\n\nAttachments:\n\n- rain\.pdf \(application\/pdf, 5 bytes\)\n- Résumé of rain \(message\/rfc822, \d+ bytes\)$/u
      )
      assert.deepInclude(metadata, { attachments: ["rain.pdf", "Résumé of rain"] })
      assert.deepEqual(warnings, [])
      const own = yield* parse("a.eml", mailWith(dat, "Words of its own."))
      assert.notInclude(own.markdown, "It rained")
    })
  )

  it.effect.prop(
    "that is damaged leaves the mail readable",
    [fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 8 }), fc.nat(4000)],
    ([changes, end]) =>
      Effect.gen(function* () {
        const bytes = new Uint8Array(winmail({ ...rain, attachments: [{ values: [], message: rain }] }))
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        const { markdown } = yield* parse("a.eml", mailWith(bytes.subarray(0, end), "Words."))
        assert.include(markdown, "Words.")
      }),
    { fastCheck: { numRuns: runs(100) } }
  )

  it.effect("that cannot be opened is said, and stays in the list", () =>
    Effect.gen(function* () {
      const { markdown, warnings } = yield* parse("a.eml", mailWith(utf8("none"), "Words."))
      assert.include(markdown, "- winmail.dat (application/ms-tnef, 4 bytes)")
      assert.match(warnings.join(), /winmail\.dat cannot be opened/u)
    })
  )
})
