import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import { boundaryOf, parse } from "../../../src/internal/server/formParts.ts"

const boundary = "a boundary"

const write = (parts: ReadonlyArray<readonly [string, Uint8Array]>, preamble = "", epilogue = "") =>
  Buffer.concat([
    Buffer.from(preamble),
    ...parts.flatMap(([name, bytes]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      bytes,
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--${epilogue}`)
  ])

/** Bytes that often are what a form is made of. */
const bytes = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom("\r\n", "--", "\r\n--", `--${boundary.slice(0, 4)}`, "\r", "\n", "\r\n\r\n", "").map(
      (text) => Buffer.from(text)
    ),
    FastCheck.uint8Array({ maxLength: 50 })
  ),
  { maxLength: 8 }
)
  .map((pieces) => new Uint8Array(Buffer.concat(pieces)))
  .filter((all) => !Buffer.from(all).includes(`--${boundary}`))

const parts = FastCheck.array(FastCheck.tuple(FastCheck.stringMatching(/^[a-z]{1,8}$/), bytes), { maxLength: 6 })

describe("formParts", () => {
  it.prop("reads back every part that was written, byte for byte", [parts], ([written]) => {
    const read = Either.getOrThrow(parse(write(written, "", "\r\n"), boundary))
    assert.deepStrictEqual(
      read.map((part) => [part.name, new Uint8Array(part.bytes)] as const),
      written
    )
  })

  it("ignores what is before the first boundary and after the last", () => {
    const content = new Uint8Array([1, 2, 3])
    const read = Either.getOrThrow(parse(write([["file", content]], "a preamble\r\n", "\r\nan epilogue"), boundary))
    assert.deepStrictEqual(
      read.map((part) => part.name),
      ["file"]
    )
  })

  it.prop(
    "never throws, whatever it is given",
    [FastCheck.uint8Array(), FastCheck.string({ minLength: 1 })],
    ([body, any]) => {
      assert.isTrue(Either.isEither(parse(body, any)))
    }
  )

  it.prop("never takes a form that was cut", [parts, FastCheck.nat()], ([written, cut]) => {
    const whole = write(written)
    const shorter = whole.subarray(0, cut % (whole.length - 1))
    assert.isTrue(Either.isLeft(parse(shorter, boundary)))
  })

  it("finds the boundary of a content type, quoted or not", () => {
    const found = (type: string) => Option.getOrNull(boundaryOf(type))
    assert.strictEqual(found("multipart/form-data; boundary=abc"), "abc")
    assert.strictEqual(found('Multipart/Form-Data; charset=utf-8; BOUNDARY="a b;c"; x=y'), "a b;c")
    assert.isNull(found("multipart/form-data"))
    assert.isNull(found("multipart/form-data; boundary="))
    assert.isNull(found("multipart/mixed; boundary=abc"))
    assert.isNull(found("application/json"))
  })
})
