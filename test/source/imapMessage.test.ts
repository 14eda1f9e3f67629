import { assert, describe, it } from "@effect/vitest"
import type { FetchMessageObject } from "imapflow"
import { describe as described } from "../../src/internal/imap/message.ts"

const answer = (changes: Partial<FetchMessageObject>): FetchMessageObject => ({
  seq: 1,
  uid: 7,
  size: 900,
  internalDate: new Date(0),
  envelope: { subject: "offer", messageId: "<1@example.com>", date: new Date(0) },
  ...changes
})

describe("what a server says of a message", () => {
  it("is nothing where it only tells of flags", () => {
    assert.isNull(described({ seq: 1, uid: 7, flags: new Set() }))
  })

  it("tells a message from others of its id by any date, size and part, and from another one in its place by its number", () => {
    const first = described(answer({}))
    const others: ReadonlyArray<Partial<FetchMessageObject>> = [
      { size: 901 },
      { internalDate: new Date(1000) },
      { envelope: { subject: "offer", messageId: "<1@example.com>", date: new Date(1000) } },
      { bodyStructure: { type: "text/plain", encoding: "7bit", size: 12 } }
    ]
    for (const other of others) {
      const second = described(answer(other))
      assert.strictEqual(second?.id, first?.id)
      assert.notStrictEqual(second?.hash, first?.hash)
      assert.notStrictEqual(second?.version, first?.version)
    }
    const renumbered = described(answer({ uid: 8 }))
    assert.strictEqual(renumbered?.hash, first?.hash)
    assert.notStrictEqual(renumbered?.version, first?.version)
  })

  it("tells the same content by the id that the server gives it, whatever else is said", () => {
    const first = described(answer({ emailId: "M1" }))
    const moved = described(answer({ emailId: "M1", uid: 8, internalDate: new Date(1000) }))
    assert.deepStrictEqual([moved?.hash, moved?.version], [first?.hash, "imap:M1"])
    assert.notStrictEqual(described(answer({ emailId: "M2" }))?.hash, first?.hash)
  })
})
