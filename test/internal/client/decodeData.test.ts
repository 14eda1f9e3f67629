import { assert, describe, it } from "@effect/vitest"
import { ParseData } from "docsluice/ParsedDocument"
import * as Arbitraries from "docsluice/testing/Arbitraries"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Arbitrary, Either, FastCheck, Schema } from "effect"
import { decodeEnvelope } from "../../../src/internal/client/decodeData.ts"
import { runs } from "../../fixtures/seed.ts"

const isParseData = Schema.is(ParseData)

const decoded = (data: unknown) =>
  Either.getOrThrow(decodeEnvelope({ success: true, data }, { markdownRequested: false }))

const problemOf = (body: unknown, markdownRequested = true) =>
  Either.getOrThrow(Either.flip(decodeEnvelope(body, { markdownRequested })))

const block = {
  id: "p1.b0",
  type: "text",
  label: null,
  bbox: [0, 0, 1, 1],
  content: "abc",
  markdownSpan: [0, 3],
  readingOrder: 0,
  source: "native_text",
  confidence: { layout: 0.5, ocr: null }
}

const page = { pageNumber: 1, width: 10, height: 10, status: "ok", items: [block] }

const data = { markdown: "abc", metadata: {}, blocks: [page] }

const withBlock = (members: object) => decoded({ ...data, blocks: [{ ...page, items: [{ ...block, ...members }] }] })

const blockOf = (members: object) => withBlock(members).blocks?.[0]?.items[0]

const json = FastCheck.jsonValue()

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Every way to change one value, at any depth: replaced by anything, left out, or given a stranger as a neighbour. */
const mutated = (value: unknown, path: ReadonlyArray<number>, other: unknown, mode: number): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return mode === 2 && isRecord(value) ? { ...value, stranger: other } : other
  if (Array.isArray(value)) {
    if (value.length === 0) return other
    const at = step % value.length
    return value.flatMap((item, index): ReadonlyArray<unknown> =>
      index !== at ? [item] : mode === 1 && rest.length === 0 ? [] : [mutated(item, rest, other, mode)]
    )
  }
  if (!isRecord(value)) return other
  const keys = Object.keys(value)
  if (keys.length === 0) return { stranger: other }
  const key = keys[step % keys.length] ?? ""
  const { [key]: old, ...others } = value
  return mode === 1 && rest.length === 0 ? others : { ...others, [key]: mutated(old, rest, other, mode) }
}

const mutations = FastCheck.array(
  FastCheck.tuple(FastCheck.array(FastCheck.nat(30), { maxLength: 7 }), json, FastCheck.integer({ min: 0, max: 2 })),
  { minLength: 1, maxLength: 4 }
)

describe("decodeEnvelope", () => {
  it.prop("is the identity on well-formed answers", [Arbitraries.parseData], ([data]) => {
    assert.deepStrictEqual(decoded(data), data)
  })

  it.prop("is the identity on everything that the strict schema describes", [Arbitrary.make(ParseData)], ([data]) => {
    const wire: unknown = JSON.parse(JSON.stringify(data))
    const sound =
      isParseData(wire) &&
      (wire.blocks ?? []).every((page) => page.items.every((item) => inReach(item.markdownSpan, wire.markdown)))
    if (sound) assert.deepStrictEqual(decoded(wire), wire)
  })

  it.prop(
    "gives what the strict schema describes whatever the answer holds, and never throws",
    [Arbitraries.sampleOptions, mutations],
    ([options, changes]) => {
      const whole: unknown = ScriptedEngine.sample({ ...options, withPages: true, withBlocks: true })
      const broken = changes.reduce((value, [path, other, mode]) => mutated(value, path, other, mode), whole)
      const result = decodeEnvelope({ success: true, data: broken }, { markdownRequested: false })
      assert.strictEqual(Either.isRight(result), isRecord(broken))
      if (Either.isRight(result)) assert.isTrue(isParseData(result.right))
    },
    { fastCheck: { numRuns: runs(300) } }
  )

  it.prop(
    "never throws on anything at all",
    [FastCheck.anything(), FastCheck.boolean()],
    ([body, markdownRequested]) => {
      const result = decodeEnvelope(body, { markdownRequested })
      if (Either.isRight(result)) assert.isTrue(isParseData(result.right))
    }
  )

  it("does not copy blocks and pages that are well formed", () => {
    const pages = [{ pageNumber: 1, markdown: "abc" }]
    const result = decoded({ ...data, pages })
    assert.strictEqual(Object.is(result.blocks?.[0]?.items[0], block), true)
    assert.strictEqual(Object.is(result.pages?.[0], pages[0]), true)
  })

  it("reads what cannot be trusted of a block as null", () => {
    for (const bbox of [
      undefined,
      [0, 0, 1],
      [0, 0, 1, 1, 1],
      [0, 0, 1, "1"],
      [0, 0, 1, 7],
      [0, 0, 1, -3],
      "0 0 1 1",
      {}
    ]) {
      assert.isNull(blockOf({ bbox })?.bbox)
    }
    for (const markdownSpan of [undefined, [0], [0, 1, 2], [0.5, 2], [-1, 2], [3, 1], [5, 1e9], ["0", "3"], {}]) {
      assert.isNull(blockOf({ markdownSpan })?.markdownSpan)
    }
    assert.deepStrictEqual(blockOf({ confidence: undefined })?.confidence, { layout: null, ocr: null })
    const confidence: unknown = blockOf({ confidence: { layout: 5, ocr: 0.1, new: 1 } })?.confidence
    assert.deepStrictEqual(confidence, { layout: null, ocr: 0.1, new: 1 })
    const found = blockOf({ id: 1, type: null, label: 1, content: null, readingOrder: "0", source: {} })
    assert.deepInclude(found, { id: "p1.b0", type: "text", label: null, content: "", readingOrder: 0, source: null })
  })

  it("keeps a span that counts bytes, and a box a hair outside its page", () => {
    assert.deepStrictEqual(blockOf({ markdownSpan: [3, 9] })?.markdownSpan, [3, 9])
    assert.deepStrictEqual(blockOf({ bbox: [-0.0001, 0, 1.0005, 1] })?.bbox, [0, 0, 1, 1])
  })

  it("keeps members that it does not know, at every level", () => {
    const result = decoded({
      markdown: "abc",
      later: { a: 1 },
      metadata: { "og:title": "x", later: 1 },
      pages: [{ pageNumber: 1, markdown: "abc", later: 2 }],
      blocks: [{ ...page, later: 3, items: [{ ...block, type: "sidebar", later: 4 }] }]
    })
    assert.nestedPropertyVal(result, "later.a", 1)
    assert.propertyVal(result.metadata, "later", 1)
    assert.propertyVal(result.pages?.[0], "later", 2)
    assert.propertyVal(result.blocks?.[0], "later", 3)
    assert.propertyVal(result.blocks?.[0]?.items[0], "later", 4)
    assert.propertyVal(result.blocks?.[0]?.items[0], "type", "sidebar")
  })

  it("fills in what a page must have, and leaves out a page without its number", () => {
    const result = decoded({
      ...data,
      pages: [{ pageNumber: 0, markdown: "a" }, { pageNumber: 2 }, "page", null],
      blocks: [{ pageNumber: 2 }, { pageNumber: "3", items: [] }, null]
    })
    assert.deepStrictEqual(result.pages, [{ pageNumber: 2, markdown: "" }])
    assert.deepStrictEqual(result.blocks, [{ pageNumber: 2, width: null, height: null, status: "ok", items: [] }])
  })

  it("leaves out members of the wrong type, and reads a missing metadata as empty", () => {
    assert.deepStrictEqual(
      decoded({ markdown: 5, html: {}, links: "x", images: ["a", 1], warning: null, pages: 7, metadata: null }),
      { images: ["a"], warning: null, pages: null, metadata: {} }
    )
    assert.deepStrictEqual(
      decoded({ metadata: { title: ["a", 1], numPages: "3", error: null, language: null } }).metadata,
      {
        title: ["a"],
        error: null,
        language: null
      }
    )
  })

  it("is strict about the envelope, and passes on the service's own words", () => {
    assert.strictEqual(problemOf(null).reason, "NoSuccess")
    assert.strictEqual(problemOf([data]).reason, "NoSuccess")
    assert.strictEqual(problemOf({ data }).reason, "NoSuccess")
    assert.strictEqual(problemOf({ success: "true", data }).reason, "NoSuccess")
    assert.deepStrictEqual(problemOf({ success: false, error: "no luck" }), { reason: "NoSuccess", error: "no luck" })
    for (const none of [undefined, null, [], "x"]) {
      assert.strictEqual(problemOf({ success: true, data: none }).reason, "NoData")
    }
    assert.strictEqual(problemOf({ success: true, data: { metadata: {} } }).reason, "NoMarkdown")
    assert.strictEqual(problemOf({ success: true, data: { markdown: { text: "x" } } }).reason, "NoMarkdown")
    assert.isTrue(Either.isRight(decodeEnvelope({ success: true, data: {} }, { markdownRequested: false })))
    assert.isTrue(
      Either.isRight(decodeEnvelope({ success: true, data: { markdown: "" } }, { markdownRequested: true }))
    )
  })
})

const inReach = (span: readonly [number, number] | null, markdown = "") =>
  span === null || (span[0] <= span[1] && span[1] <= markdown.length * 3)
