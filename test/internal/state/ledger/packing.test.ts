import { assert, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import type { Fingerprint } from "docsluice/SourceFile"
import { FastCheck, Schema } from "effect"
import * as ChunkIds from "../../../../src/internal/state/ledger/packedIds.ts"
import * as Sightings from "../../../../src/internal/state/ledger/sighting.ts"

const digits = FastCheck.array(FastCheck.constantFrom(..."0123456789abcdef"), { minLength: 32, maxLength: 32 })
const hashes = FastCheck.array(digits.map((parts) => ChunkId.make(parts.join(""))))
const words = FastCheck.array(FastCheck.string({ minLength: 1 }).map((text) => ChunkId.make(text)))

it.prop("gives chunk ids back as they were packed", [FastCheck.oneof(hashes, words)], ([ids]) => {
  assert.deepStrictEqual(ChunkIds.unpack(ChunkIds.pack(ids)), ids)
})

it.prop("packs hashes in half their length and a byte", [hashes], ([ids]) => {
  if (ids.length > 0) assert.strictEqual(ChunkIds.pack(ids).length, ids.length * 16 + 1)
})

it("calls a cut list of ids damage", () => {
  const packed = ChunkIds.pack(["ab".repeat(8), "cd".repeat(8)].map((id) => ChunkId.make(id)))
  assert.throws(() => ChunkIds.unpack(packed.subarray(0, packed.length - 1)), /cut/)
  assert.throws(() => ChunkIds.unpack(Buffer.from("\0[1]")), /holds other values/)
  assert.throws(() => ChunkIds.unpack(Buffer.from("\0[")), /not readable/)
})

const nanos = FastCheck.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
const fingerprints: FastCheck.Arbitrary<Fingerprint | undefined> = FastCheck.oneof(
  FastCheck.constant(undefined),
  FastCheck.string().map((value) => ({ _tag: "Etag", value }) as const),
  FastCheck.record({
    _tag: FastCheck.constant("Stat" as const),
    modified: nanos,
    changed: nanos,
    inode: FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  })
)

it.prop(
  "gives a sighting back as it was packed",
  [Schema.NonNegativeInt, fingerprints, Schema.NonNegativeInt],
  ([size, fingerprint, checkedAt]) => {
    const sighting = { size, fingerprint, checkedAt }
    assert.deepStrictEqual(Sightings.unpack(Sightings.pack(sighting), Sightings.etagOf(fingerprint)), sighting)
  }
)
