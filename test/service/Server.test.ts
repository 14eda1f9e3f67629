import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { DocumentUnparsable } from "docsluice/service/ServiceError"
import { exchange, form, raw, rawForm, request, start, upload } from "./serverFixture.ts"

const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`

const filePart = [disposition('name="file"; filename="a.pdf"'), "%PDF"] as const

describe("Server", () => {
  it.scopedLive("answers a parse", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const a = yield* upload(base, { options: { parsers: [{ type: "pdf", pages: true, pageMarkers: true }] } })
      console.log(JSON.stringify(a).slice(0, 1500))
      console.log(yield* request(base + "/nope"), yield* request(base + "/v2/parse"), yield* request(base + "/health"))
      console.log(yield* raw(base, rawForm([filePart])))
      console.log(yield* raw(base, "", "multipart/form-data"), yield* raw(base, rawForm([filePart]), "text/plain"), yield* raw(base, rawForm([])))
      console.log(yield* raw(base, "", ))
      console.log(yield* request(base + "/v2/parse", {method: "POST"}))
      console.log(yield* upload(base, { options: "{" }), yield* upload(base, { options: {timeout: 0, formats: ["screenshot"]} }), yield* upload(base, { name: "x.txt" }))
      console.log(yield* request(base + "/v2/%zz"), yield* request(base + "/metrics"))
    })
  )
  it.scopedLive("keys", () =>
    Effect.gen(function* () {
      const base = yield* start({server: {keys: [Redacted.make("k1"), Redacted.make("k2")]}, engine: {scripts: {"d.pdf": {defect: "boom"}, "u.pdf": {error: new DocumentUnparsable({status:500, error: "corrupt", code:"SCRAPE_ALL_ENGINES_FAILED"})}}}})
      const base2 = yield* start({})
      const h = (k: string) => ({headers: {authorization: k}})
      console.log(yield* upload(base, {}), yield* upload(base, {}, h("Bearer no")), (yield* upload(base, {}, h("Bearer k2"))).status, (yield* upload(base2, {})).status)
      console.log(yield* upload(base, {name:"d.pdf"}, h("Bearer k1")),yield* upload(base, {name:"u.pdf"}, h("Bearer k1")))
      const big = new Uint8Array(60_000_000)
      const t = Date.now()
      console.log(yield* upload(base, {bytes: big}, h("Bearer k1")), Date.now()-t, yield* upload(base, {bytes: big}, h("Bearer no")), Date.now()-t)
      console.log(yield* upload(base, {bytes: new Uint8Array(52_428_800)}, h("Bearer k1")).pipe(Effect.map(a => a.status)), yield* upload(base, {bytes: new Uint8Array(52_428_801)}, h("Bearer k1")))
      console.log(form({}) , exchange.name)
    })
  )
})
