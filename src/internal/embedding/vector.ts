import * as Either from "effect/Either"
import { PackedVector } from "../../DocumentChunk.ts"
import { bad, type Failure } from "./failure.ts"
import type { Components } from "./provider.ts"

/** Largest deviation from length 1 that is not corrected: the precision of a unit vector in 32 bits. */
const tolerance = 1e-5

const scale = (vector: PackedVector, length: number): void => {
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length
}

/** Allocates the vectors of one answer in one buffer: one buffer each would cost the garbage collector more than everything else. */
export const room = (count: number): ((length: number) => PackedVector) => {
  let buffer = new ArrayBuffer(0)
  let used = 0
  return (length) => {
    const bytes = length * PackedVector.BYTES_PER_ELEMENT
    if (used + bytes > buffer.byteLength) {
      buffer = new ArrayBuffer(bytes * count)
      used = 0
    }
    const vector = new PackedVector(buffer, used, length)
    used += bytes
    return vector
  }
}

/** Packs and checks one vector of an answer; `expected` is null while no length is known. */
export const checked = (
  components: Components | undefined,
  expected: number | null,
  normalize: boolean,
  allocate: (length: number) => PackedVector
): Either.Either<PackedVector, Failure> => {
  const length = components?.length
  if (components === undefined || length === undefined || length === 0) {
    return Either.left(bad("the answer holds an empty vector"))
  }
  if (expected !== null && length !== expected) {
    return Either.left(bad(`the answer holds a vector of ${length} dimensions, ${expected} are expected`))
  }
  const vector = allocate(length)
  let squares = 0
  for (let index = 0; index < length; index++) {
    const component: unknown = components[index]
    if (typeof component !== "number" || !Number.isFinite(Math.fround(component))) {
      return Either.left(bad(`component ${index} of a vector is not a finite number`))
    }
    vector[index] = component
    squares += component * component
  }
  if (!normalize) return Either.right(vector)
  const size = Math.sqrt(squares)
  if (!(size > 0) || !Number.isFinite(size)) {
    return Either.left(bad("a vector is zero everywhere: it has no direction to compare by"))
  }
  if (Math.abs(size - 1) > tolerance) scale(vector, size)
  return Either.right(vector)
}
