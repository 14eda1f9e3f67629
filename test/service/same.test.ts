import { readFileSync } from "node:fs"
import { assert, describe } from "@effect/vitest"
import { Client } from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import { FileType } from "docsluice/SourceFile"
import * as SourceFile from "docsluice/SourceFile"
import { Context, Effect, Layer } from "effect"
import * as documents from "../engine/documents.ts"
import { sharing } from "../fixtures/sharing.ts"
import { live } from "./collaborators.ts"
import { engineWith, page } from "./rows/exchange.ts"
import { answerOf } from "./rows/options.ts"
import { start } from "./serverFixture.ts"

/** Two clients of one engine: in this process, and over a socket. */
class Clients extends Context.Tag("same/Clients")<
  Clients,
  { readonly inProcess: Client.Service; readonly overHttp: Client.Service }
>() {}

const clients = Layer.scoped(
  Clients,
  Effect.gen(function* () {
    const engine = Layer.succeed(Engine, Context.get(yield* Layer.build(engineWith(answerOf)), Engine))
    const base = yield* start({ engine })
    const inProcess = Context.get(yield* Layer.build(Layer.provide(Embedded.layerEngine(), engine)), Client)
    const overHttp = Context.get(yield* Layer.build(live(base)), Client)
    return { inProcess, overHttp }
  })
)

const example = (name: string) => readFileSync(new URL(`../../examples/documents/${name}`, import.meta.url))

const text = (content: string) => new TextEncoder().encode(content)

/** A document for each file type; one of the same family where none can be made here, which is then read by its content. */
const samples = {
  html: text(page),
  htm: example("network.html"),
  xhtml: text(page),
  pdf: example("handbook.pdf"),
  docx: documents.richDocx(),
  doc: example("letter.rtf"),
  docm: example("visit-report.docx"),
  odt: documents.odt(),
  ods: example("budget.ods"),
  odp: documents.odt(),
  rtf: example("letter.rtf"),
  xlsx: example("rainfall.xlsx"),
  xls: readFileSync(new URL("../fixtures/encrypted/plain.xls", import.meta.url)),
  xlsm: example("rainfall.xlsx"),
  xlsb: example("rainfall.xlsx"),
  pptx: example("introduction.pptx"),
  ppt: example("introduction.pptx"),
  pptm: example("introduction.pptx"),
  epub: example("minutes.epub"),
  csv: example("stations.csv")
} satisfies Record<FileType.Extension, Uint8Array>

const everything: ParseOptions = {
  formats: [
    { type: "markdown" },
    { type: "summary" },
    { type: "html" },
    { type: "rawHtml" },
    { type: "links" },
    { type: "images" },
    { type: "json", schema: { type: "object", properties: { station: { type: "string" }, due: {} } } }
  ],
  parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }],
  removeBase64Images: false
}

const otherwise: ParseOptions = {
  onlyMainContent: false,
  excludeTags: ["table"],
  parsers: [{ type: "pdf", maxPages: 1 }]
}

const both = (path: string, bytes: Uint8Array, options: ParseOptions) =>
  Effect.flatMap(Clients, ({ inProcess, overHttp }) => {
    const file = SourceFile.fromBytes({ root: "root", path, bytes })
    const parsed = (client: Client.Service) => Effect.either(client.parse(file, { timeout: 120_000, ...options }))
    return Effect.all([parsed(inProcess), parsed(overHttp)])
  })

describe("in process and over HTTP", () => {
  const test = sharing(clients)

  for (const extension of FileType.all) {
    test(`the data of a .${extension} are the same`, () =>
      Effect.gen(function* () {
        for (const options of [everything, otherwise, {}]) {
          const [own, far] = yield* both(`sub/file.${extension}`, samples[extension], options)
          assert.strictEqual(own._tag, "Right")
          assert.deepStrictEqual(far, own)
        }
      }))
  }

  test("errors are the same", () =>
    Effect.gen(function* () {
      const failing: ReadonlyArray<readonly [path: string, bytes: Uint8Array, options: ParseOptions]> = [
        ["broken.pdf", text("%PDF-1.7 nothing"), {}],
        ["broken.docx", text("PK nothing"), {}],
        ["locked.docx", documents.encryptedPackage(), {}],
        ["a.html", text(page), { excludeTags: ["<none>"] }],
        ["a.html", text(page), { formats: [{ type: "json", schema: { type: "nothing" } }] }],
        ["a.html", text(page), { timeout: 300_001 }]
      ]
      for (const [path, bytes, options] of failing) {
        const [own, far] = yield* both(path, bytes, options)
        assert.strictEqual(own._tag, "Left", path)
        assert.deepStrictEqual(far, own, path)
      }
    }))
})
