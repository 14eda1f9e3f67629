import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { decode } from "../../src/internal/reading/decode.ts"
import { parse } from "./reading.ts"

const utf16 = (text: string, big: boolean): Uint8Array => {
  const bytes = Buffer.from(text, "utf16le")
  return new Uint8Array(big ? bytes.swap16() : bytes)
}

const utf32 = (text: string, big: boolean): Uint8Array => {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const view = new DataView(new ArrayBuffer(codes.length * 4))
  codes.forEach((code, at) => view.setUint32(at * 4, code, !big))
  return new Uint8Array(view.buffer)
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const forms: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "UTF-8": (text) => utf8(`\u{FEFF}${text}`),
  "UTF-16LE": (text) => utf16(`\u{FEFF}${text}`, false),
  "UTF-16BE": (text) => utf16(`\u{FEFF}${text}`, true),
  "UTF-32LE": (text) => utf32(`\u{FEFF}${text}`, false),
  "UTF-32BE": (text) => utf32(`\u{FEFF}${text}`, true)
}

/** A text in windows-1252, of which decoders of some versions of Node get the quotation marks wrong. */
const western = {
  text: "Der Bär läuft über die Straße – “naïve” café, déjà vu, œuvre, mañana.",
  hex: "4465722042e472206ce475667420fc626572206469652053747261df65209620936e61ef76659420636166e92c2064e96ae02076752c209c757672652c206d61f1616e612e"
}

const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"))

/** Encodes by asking the decoder for every pair of bytes: there is no encoder of these on this platform. */
const encoded = (text: string, encoding: string): Uint8Array => {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, ReadonlyArray<number>>()
  for (let first = 255; first >= 0; first--) {
    for (let second = 255; second >= 64; second--)
      table.set(decoder.decode(new Uint8Array([first, second])), [first, second])
  }
  for (let byte = 255; byte >= 0; byte--) table.set(decoder.decode(new Uint8Array([byte])), [byte])
  return new Uint8Array(Array.from(text).flatMap((character) => table.get(character) ?? [63]))
}

const samples: ReadonlyArray<readonly [encoding: string, text: string]> = [
  ["windows-1251", "Это документ на русском языке. Он описывает установку программы и её настройку."],
  ["koi8-r", "Это документ на русском языке. Он описывает установку программы и её настройку."],
  ["shift_jis", "これは日本語の文書です。インストールの方法を説明します。設定ファイルを編集してください。"],
  ["euc-jp", "これは日本語の文書です。インストールの方法を説明します。設定ファイルを編集してください。"],
  ["gbk", "这是一个中文文档。它介绍了如何安装和配置软件。请编辑配置文件。"],
  ["big5", "這是一個中文文件。它介紹了如何安裝和設定軟體。請編輯設定檔。"],
  ["euc-kr", "이것은 한국어 문서입니다. 소프트웨어를 설치하고 설정하는 방법을 설명합니다."],
  ["windows-874", "นี่คือเอกสารภาษาไทยที่อธิบายวิธีการติดตั้งโปรแกรม"]
]

describe("the encoding of a text", () => {
  for (const [name, form] of Object.entries(forms)) {
    it.effect(`is ${name} when its byte order mark says so, and the mark is no part of the text`, () =>
      Effect.promise(async () =>
        fc.assert(
          fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
            fc.pre(!/\p{Cs}/u.test(text) && !text.startsWith("\u{FEFF}") && !text.startsWith("\0"))
            assert.deepEqual(await Effect.runPromise(decode(form(text))), { text, warning: null })
          })
        )
      )
    )
  }

  it.effect("is UTF-8 when the bytes are valid, whatever they mean in other encodings", () =>
    Effect.gen(function* () {
      const text = "Äöü – 漢字 🙂\r\n\u{FFFD}"
      assert.deepEqual(yield* decode(utf8(text)), { text, warning: null })
    })
  )

  it.effect("is UTF-16 without a mark when every second byte of its spaces and letters is zero", () =>
    Effect.gen(function* () {
      for (const big of [false, true]) {
        assert.deepEqual(yield* decode(utf16("Grüße an alle.\r\n", big)), { text: "Grüße an alle.\r\n", warning: null })
      }
    })
  )

  it.effect("is windows-1252 with its quotation marks, with a warning that it is a guess", () =>
    Effect.gen(function* () {
      const decoded = yield* decode(fromHex(western.hex))
      assert.strictEqual(decoded?.text, western.text)
      assert.match(decoded?.warning ?? "", /taken to be windows-1252/)
    })
  )

  for (const [encoding, text] of samples) {
    it.effect(`is guessed to be ${encoding} from the text alone`, () =>
      Effect.gen(function* () {
        const decoded = yield* decode(encoded(text, encoding))
        assert.strictEqual(decoded?.text, text)
        assert.match(decoded?.warning ?? "", /encoding is not UTF-8/)
      })
    )
  }

  it.effect("is UTF-8 with a warning when few of many bytes are damaged", () =>
    Effect.gen(function* () {
      const bytes = utf8("Grüße, Öl und Äpfel für Überflüsse: größer, schöner, kühler. ".repeat(3))
      bytes[1] = 0xff
      const decoded = yield* decode(bytes)
      assert.isTrue(decoded?.text.startsWith("G\u{FFFD}"))
      assert.match(decoded?.warning ?? "", /1 bytes or byte sequences are not valid UTF-8/)
    })
  )

  it.effect("does not exist for binary data, whose error names the file", () =>
    Effect.gen(function* () {
      const png = fromHex("89504e470d0a1a0a0000000d494844520000000100000001080600")
      const packed = new Uint8Array(4096).map((_, at) => (at * 7919 + (at >> 3)) % 255 || 1)
      for (const bytes of [png, packed]) {
        assert.isNull(yield* decode(bytes))
        const error = yield* Effect.flip(parse("notes/picture.txt", bytes))
        assert.strictEqual(error._tag, "TextUnreadable")
        assert.match(error.message, /^notes\/picture\.txt: its content is binary data/)
      }
    })
  )
})
