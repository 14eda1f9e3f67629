import { assert, describe, it } from "@effect/vitest"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { Effect } from "effect"
import * as EngineVersion from "../../../src/engine/EngineVersion.ts"
import * as NativeEngine from "../../../src/engine/NativeEngine.ts"
import { lines, type PageSpec, write } from "../pdf/writePdf.ts"
import { faulty, mostAtOnce, pdfOf, scanned, scripted, settings } from "./scans.ts"

const page: PageSpec = { marks: lines(72, 100, ["The quick brown fox jumps over", "the lazy dog."], { size: 14 }, 18) }

const ask = (bytes: Uint8Array, mode: "auto" | "ocr" | "fast" = "auto") => ({
  input: { filename: "scan.pdf", extension: "pdf", bytes } as const,
  options: ParseOptions.resolve({ timeout: 60_000, parsers: [{ type: "pdf", mode, blocks: true }] })
})

// Lanes run in real time, so the clock has to be the real one too.
describe("NativeEngine with OCR", () => {
  it.live("reads scans in a lane of their own", () =>
    Effect.gen(function* () {
      const engine = yield* NativeEngine.make({ lanes: 1, ocr: settings() })
      const { input, options } = ask(pdfOf([yield* Effect.promise(() => scanned(page))]))
      const { data } = yield* engine.parse(input, options)
      assert.strictEqual(data.markdown, "The quick brown fox jumps over the lazy dog.")
      assert.isUndefined(data.warning)
      assert.strictEqual(data.blocks?.[0]?.items[0]?.source, "layout_ocr")
      assert.strictEqual(engine.version, `${EngineVersion.version} ocr tesseract.js@7.0.0 eng`)
    }).pipe(Effect.scoped)
  )

  it.live("answers with partial pages when the recogniser ends its process, and goes on", () =>
    Effect.gen(function* () {
      const engine = yield* NativeEngine.make({ lanes: 1, ocr: faulty(`process.kill(process.pid, "SIGSEGV")`) })
      const scan = ask(pdfOf([yield* Effect.promise(() => scanned(page))]))
      const { data } = yield* engine.parse(scan.input, scan.options)
      assert.strictEqual(data.blocks?.[0]?.status, "partial")
      assert.match(data.warning ?? "", /^1 page has no text layer, and OCR failed: the parser crashed on this file/)
      const next = ask(write({ pages: [page] }))
      assert.strictEqual(
        (yield* engine.parse(next.input, next.options)).data.markdown,
        "The quick brown fox jumps over the lazy dog."
      )
    }).pipe(Effect.scoped)
  )

  it.live("names the command that installs the packages where they are missing", () =>
    Effect.gen(function* () {
      const engine = yield* NativeEngine.make({ lanes: 1, ocr: "none" })
      assert.strictEqual(engine.version, EngineVersion.version)
      const bytes = pdfOf([yield* Effect.promise(() => scanned(page))])
      const auto = ask(bytes)
      const { data } = yield* engine.parse(auto.input, auto.options)
      assert.strictEqual(data.blocks?.[0]?.status, "partial")
      assert.include(data.warning ?? "", "npm install tesseract.js@7 @tesseract.js-data/eng")
      const every = ask(bytes, "ocr")
      const refused = yield* Effect.flip(engine.parse(every.input, every.options))
      assert.deepInclude(refused, { _tag: "BadRequest", code: "PARSE_UNSUPPORTED_OPTIONS" })
      assert.include(refused.error, "npm install tesseract.js@7 @tesseract.js-data/eng")
    }).pipe(Effect.scoped)
  )

  it.live("recognises the pages of all documents with as many threads as there are lanes", () =>
    Effect.gen(function* () {
      const { log, settings: fake } = scripted(200)
      const engine = yield* NativeEngine.make({ lanes: 2, ocr: fake })
      const scan = yield* Effect.promise(() => scanned(page))
      const { input, options } = ask(pdfOf([scan, scan, scan]))
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => engine.parse(input, options)),
        { concurrency: "unbounded" }
      )
      for (const { data } of answers) assert.strictEqual(data.markdown, "light\n\nlight\n\nlight")
      assert.strictEqual(mostAtOnce(log), 2)
    }).pipe(Effect.scoped)
  )
})
