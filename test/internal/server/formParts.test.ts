import { tmpdir } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Option } from "effect"
import { boundaryOf, delimiterOf, inMemory, parse } from "../../../src/internal/server/formParts.ts"
import * as Spools from "../../../src/internal/server/spool.ts"

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
    const body = inMemory(write(written, "", "\r\n"))
    const read = Either.getOrThrow(parse(body, boundary))
    assert.deepStrictEqual(
      read.map((part) => [part.name, new Uint8Array(body.slice(part.start, part.end))] as const),
      written
    )
  })

  it.scopedLive("reads a form in a file as one in memory, wherever the pieces of its upload end", () =>
    Effect.gen(function* () {
      const form = write(
        [
          ["file", new Uint8Array(60).fill(45)],
          ["options", Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n`)]
        ],
        "before\r\n"
      )
      const held = inMemory(form)
      const expected = Either.getOrThrow(parse(held, boundary))
      assert.lengthOf(expected, 2)
      for (let size = 1; size < form.length; size++) {
        const spool = yield* Spools.make(tmpdir(), delimiterOf(boundary))
        for (let at = 0; at < form.length; at += size) yield* spool.write(form.subarray(at, at + size))
        const inFile = spool.form()
        assert.deepStrictEqual(Either.getOrThrow(parse(inFile, boundary)), expected)
        for (const { end, start } of expected) assert.isTrue(inFile.slice(start, end).equals(held.slice(start, end)))
      }
    })
  )

  it.effect("fails with a 503 when the disk refuses bytes", () =>
    Effect.gen(function* () {
      const spool = yield* Effect.scoped(Spools.make(tmpdir(), delimiterOf(boundary)))
      const error = yield* Effect.flip(spool.write(new Uint8Array(1)))
      assert.strictEqual(error.status, 503)
      assert.include(error.error, "EBADF")
    })
  )

  it("ignores what is before the first boundary and after the last", () => {
    const content = new Uint8Array([1, 2, 3])
    const read = Either.getOrThrow(
      parse(inMemory(write([["file", content]], "a preamble\r\n", "\r\nan epilogue")), boundary)
    )
    assert.deepStrictEqual(
      read.map((part) => part.name),
      ["file"]
    )
  })

  it.prop(
    "never throws, whatever it is given",
    [FastCheck.uint8Array(), FastCheck.string({ minLength: 1 })],
    ([body, any]) => {
      assert.isTrue(Either.isEither(parse(inMemory(body), any)))
    }
  )

  it.prop("never takes a form that was cut", [parts, FastCheck.nat()], ([written, cut]) => {
    const whole = write(written)
    const shorter = whole.subarray(0, cut % (whole.length - 1))
    assert.isTrue(Either.isLeft(parse(inMemory(shorter), boundary)))
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
