import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Messages from "../../../src/internal/mcp/messages.ts"
import { runs } from "../../fixtures/seed.ts"

const codeOf = (text: string): unknown => {
  const received = Messages.read(text)
  return received._tag === "Refused" ? JSON.parse(JSON.stringify(received.answer)).error.code : received._tag
}

describe("messages", () => {
  it("are refused with the code of JSON-RPC that says why", () => {
    const table = [
      ["", -32700],
      ["{", -32700],
      ["[]", -32600],
      ["7", -32600],
      ['{"id":1,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":1}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x"}}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}', "Request"],
      ['{"jsonrpc":"2.0","id":0,"method":"ping"}', "Request"],
      ['{"jsonrpc":"2.0","id":"a","method":"ping"}', "Request"],
      ['{"jsonrpc":"2.0","method":"notifications/initialized"}', "Notification"],
      ['{"jsonrpc":"2.0","id":1,"result":{}}', "Answer"]
    ] as const
    for (const [text, wanted] of table) assert.strictEqual(codeOf(text), wanted, text)
  })

  it("of any form are read without a failure", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.string(), FastCheck.json()), (text) => {
        assert.include(["Request", "Notification", "Answer", "Refused"], Messages.read(text)._tag)
      }),
      { numRuns: runs(200) }
    )
  })
})
