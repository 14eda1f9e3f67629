import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse, pathsOf } from "./reading.ts"

const head = [
  "From: =?UTF-8?Q?Zo=C3=AB_Ek?= <zoe@example.org>",
  "To: Team: Ann <ann@example.org>, bo@example.org;",
  "Date: Tue, 01 Oct 2024 10:00:00 +0200",
  "Message-ID: <1@example.org>"
]

const message = (...lines: ReadonlyArray<string>): string => [...head, ...lines].join("\r\n")

const parts = (type: string, ...bodies: ReadonlyArray<string>): ReadonlyArray<string> => [
  "MIME-Version: 1.0",
  `Content-Type: multipart/${type}; boundary="b"`,
  "",
  ...bodies.flatMap((body) => ["--b", body]),
  "--b--",
  ""
]

const bodyOf = (content: string | Uint8Array) =>
  Effect.map(parse("a.eml", content), ({ markdown }) => markdown.replace(/^(?:#.*\n\n)?From: [^]*?\n\n/u, ""))

describe("a mail message", () => {
  it.effect("of more parts or messages than are taken apart fails with the bound, and one below it is read", () =>
    Effect.gen(function* () {
      const many = (count: number) =>
        message(...parts("mixed", ...Array.from({ length: count }, (_, at) => `\r\npart ${at}`)))
      const nested = (count: number) => message(`${"Content-Type: message/rfc822\r\n\r\n".repeat(count)}text`)
      const failed = (content: string) => Effect.map(Effect.flip(parse("a.eml", content)), ({ message }) => message)
      assert.include(
        yield* failed(many(10_001)),
        "a.eml: its reader failed: it has more than 10000 parts; take it apart"
      )
      assert.include(yield* failed(nested(1001)), "it has more than 1000 messages inside; take it apart")
      assert.include(yield* bodyOf(many(500)), "part 499")
      assert.include((yield* parse("a.eml", nested(100))).markdown, "message/rfc822")
      // Lines of a text that look like boundaries are no parts.
      const dump = yield* bodyOf(message("", "-- a remark\r\n--b\r\n--\r\n".repeat(10_001)))
      assert.include(dump, "-- a remark")
    })
  )

  it.effect("is its subject, headers, body and a list of attachments", () =>
    Effect.gen(function* () {
      const text = message(
        "Subject: =?iso-8859-1?Q?R=E9sum=E9?=",
        " of rain",
        ...parts(
          "mixed",
          "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nIt rained in Malm=C3=B6.\r\n\r\n# no heading\r\n",
          'Content-Type: application/pdf; name="rain.pdf"\r\nContent-Disposition: attachment; filename="rain.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8='
        )
      )
      const { markdown, metadata, warnings } = yield* parse("a.eml", text)
      assert.strictEqual(
        markdown.replaceAll("\r\n", "\n").trim(),
        "# Résumé of rain\n\nFrom: Zoë Ek <zoe@example.org>\nTo: Team: Ann <ann@example.org>, <bo@example.org>\nDate: 2024-10-01T08:00:00.000Z\n\nIt rained in Malmö.\n\n# no heading\n\nAttachments:\n\n- rain.pdf (application/pdf, 5 bytes)"
      )
      assert.deepInclude(metadata, {
        title: "Résumé of rain",
        date: "2024-10-01T08:00:00.000Z",
        messageId: "<1@example.org>",
        attachments: ["rain.pdf"]
      })
      assert.deepEqual(warnings, [])
      const paths = yield* pathsOf("a.eml", text)
      assert.deepEqual([...new Set(paths.map(([path]) => path))], ["Résumé of rain"])
    })
  )

  it.effect("takes the text of an alternative, and converts the page where there is no text", () =>
    Effect.gen(function* () {
      const html =
        "Content-Type: text/html; charset=utf-8\r\n\r\n<meta charset=latin1><h2>Räin</h2><p>It <b>rained</b>.</p>\r\n"
      const both = message(
        "Subject: x",
        ...parts("alternative", "Content-Type: text/plain\r\n\r\nIt rained.\r\n", html)
      )
      assert.strictEqual((yield* bodyOf(both)).trim(), "It rained.")
      const page = yield* bodyOf(message("Subject: x", ...parts("alternative", html)))
      assert.strictEqual(page.trim(), "## Räin\n\nIt **rained**.")
    })
  )

  it.effect("decodes bodies of other encodings, and forwarded messages", () =>
    Effect.gen(function* () {
      const sjis = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b)
      const start = new TextEncoder().encode(
        message("Content-Type: text/plain; charset=shift_jis", "Content-Transfer-Encoding: 8bit", "", "")
      )
      assert.strictEqual((yield* bodyOf(new Uint8Array([...start, ...sjis]))).trim(), "日本")
      const forwarded = message(
        "Subject: Fwd",
        ...parts(
          "mixed",
          "Content-Type: text/plain\r\n\r\nSee below.\r\n",
          "Content-Type: message/rfc822\r\n\r\nSubject: Inner\r\nFrom: c@example.org\r\n\r\nInner words.\r\n"
        )
      )
      assert.match(yield* bodyOf(forwarded), /See below\.[^]*Inner words\./u)
    })
  )

  it.effect("is stored without a subject, a body or a date, and as text when it is no message", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* parse("a.eml", "From: a@example.org\r\n\r\n")).markdown, "From: <a@example.org>")
      assert.strictEqual((yield* parse("a.eml", "")).markdown, "")
      const deep = Array.from(
        { length: 400 },
        (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`
      ).join("")
      const none = yield* parse("a.eml", deep)
      assert.match(none.warnings.join(), /no message that can be taken apart/u)
    })
  )

  it.effect("keeps the body of a message whose parts cannot be told apart, and a text without headers", () =>
    Effect.gen(function* () {
      const unbounded = yield* parse(
        "a.eml",
        message("Subject: x", "Content-Type: multipart/mixed", "", "--b", "", "Words.")
      )
      assert.match(unbounded.markdown, /# x\n[^]*--b\r?\n\r?\nWords\.$/u)
      assert.match(unbounded.warnings.join(), /parts cannot be told apart/u)
      for (const text of ["No header here\n\nWords.", "Note: this\n\nWords."]) {
        const none = yield* parse("a.eml", text)
        assert.strictEqual(none.markdown, text)
        assert.match(none.warnings.join(), /read as plain text/u)
      }
    })
  )

  it.effect("names an attached message by its subject, and says that winmail.dat is not opened", () =>
    Effect.gen(function* () {
      const attached = message(
        "Subject: x",
        ...parts(
          "mixed",
          "Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nSubject: =?UTF-8?Q?R=C3=A4in?=\r\n\r\nWords.\r\n",
          'Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+Ig=='
        )
      )
      const { markdown, metadata, warnings } = yield* parse("a.eml", attached)
      assert.match(
        markdown,
        /- Räin \(message\/rfc822, \d+ bytes\)\n- winmail\.dat \(application\/ms-tnef, 4 bytes\)$/u
      )
      assert.deepInclude(metadata, { attachments: ["Räin", "winmail.dat"] })
      assert.match(warnings.join(), /winmail\.dat/u)
    })
  )

  it.effect("shows a date that cannot be parsed, and has it in no metadata", () =>
    Effect.gen(function* () {
      const { markdown, metadata } = yield* parse(
        "a.eml",
        "From: a@example.org\r\nDate: one of these days\r\n\r\nx\r\n"
      )
      assert.include(markdown, "Date: one of these days")
      assert.notProperty(metadata, "date")
    })
  )

  it.effect("decodes a body whose charset is unknown or wrong, and keeps NUL bytes from ending it", () =>
    Effect.gen(function* () {
      const typed = (charset: string, body: string) =>
        bodyOf(message("Subject: x", `Content-Type: text/plain; charset=${charset}`, "", body))
      assert.strictEqual((yield* typed("x-nothing", "Plain words.")).trim(), "Plain words.")
      assert.match(yield* typed("us-ascii", "Zoë's words."), /^Zo.+'s words\./u)
      assert.match(yield* typed("utf-8", "one\0two"), /^one\0?two/u)
    })
  )

  it.effect("is read from UTF-16, with a mark and without one", () =>
    Effect.gen(function* () {
      const text = message("Subject: Zoë", "Content-Type: text/plain; charset=utf-8", "", "日本 words.")
      const little = Buffer.from(text, "utf16le")
      for (const bytes of [
        little,
        Buffer.from(`\uFEFF${text}`, "utf16le"),
        Buffer.from(`\uFEFF${text}`, "utf16le").swap16()
      ])
        assert.match((yield* parse("a.eml", new Uint8Array(bytes))).markdown, /^# Zoë\n[^]*日本 words\.$/u)
    })
  )

  it.effect("runs nothing of a page: scripts and addresses of scripts are gone", () =>
    Effect.gen(function* () {
      const body = yield* bodyOf(
        message(
          "Subject: x",
          "Content-Type: text/html",
          "",
          '<p onclick="a()">Words</p><script>alert(1)</script><a href="javascript:a()">link</a>'
        )
      )
      assert.match(body, /Words/u)
      assert.notMatch(body, /alert|javascript:|onclick/u)
    })
  )
})
