/** Writes one-dimensional arrays in PostgreSQL's binary format: what formatting and parsing of text would cost is saved. */

/** Object ids of built-in types. */
const oids = { text: 25, integer: 23 } as const

const headerLength = 20

/** A buffer that grows. */
interface Output {
  bytes: Buffer
  length: number
}

const begin = (oid: number, count: number, bytes: number): Output => {
  const output = { bytes: Buffer.allocUnsafe(headerLength + bytes), length: headerLength }
  output.bytes.writeInt32BE(count === 0 ? 0 : 1, 0)
  output.bytes.writeInt32BE(1, 4)
  output.bytes.writeUInt32BE(oid, 8)
  output.bytes.writeInt32BE(count, 12)
  output.bytes.writeInt32BE(1, 16)
  return output
}

/** An array without elements has no dimensions, and its header ends before them. */
const end = ({ bytes, length }: Output, count: number): Uint8Array => bytes.subarray(0, count === 0 ? 12 : length)

const reserve = (output: Output, more: number): void => {
  if (output.length + more <= output.bytes.length) return
  const grown = Buffer.allocUnsafe(Math.max(2 * output.bytes.length, output.length + more))
  output.bytes.copy(grown, 0, 0, output.length)
  output.bytes = grown
}

const putNull = (output: Output): void => {
  reserve(output, 4)
  output.length = output.bytes.writeInt32BE(-1, output.length)
}

/** `text[]` */
export const texts = (values: ReadonlyArray<string | null>): Uint8Array => {
  const output = begin(oids.text, values.length, 32 * values.length)
  for (const value of values) {
    if (value === null) {
      putNull(output)
      continue
    }
    reserve(output, 4 + 3 * value.length)
    const written = output.bytes.write(value, output.length + 4, "utf8")
    output.bytes.writeInt32BE(written, output.length)
    output.length += 4 + written
  }
  return end(output, values.length)
}

/** `int4[]` */
export const integers = (values: ReadonlyArray<number | null>): Uint8Array => {
  const output = begin(oids.integer, values.length, 8 * values.length)
  for (const value of values) {
    if (value === null) {
      putNull(output)
      continue
    }
    reserve(output, 8)
    output.length = output.bytes.writeInt32BE(4, output.length)
    output.length = output.bytes.writeInt32BE(value, output.length)
  }
  return end(output, values.length)
}

/** `vector[]`; `oid` is the type's in this database. */
export const vectors = (oid: number, values: ReadonlyArray<ArrayLike<number> | undefined>): Uint8Array => {
  const output = begin(oid, values.length, values.length * (8 + 4 * (values[0]?.length ?? 0)))
  for (const value of values) {
    if (value === undefined) {
      putNull(output)
      continue
    }
    reserve(output, 8 + 4 * value.length)
    output.length = output.bytes.writeInt32BE(4 + 4 * value.length, output.length)
    putVector(output, value)
  }
  return end(output, values.length)
}

/** `vector` */
export const vector = (value: ArrayLike<number>): Uint8Array => {
  const output = { bytes: Buffer.allocUnsafe(4 + 4 * value.length), length: 0 }
  putVector(output, value)
  return output.bytes
}

const putVector = (output: Output, value: ArrayLike<number>): void => {
  const { bytes } = output
  let at = bytes.writeInt16BE(0, bytes.writeUInt16BE(value.length, output.length))
  for (let index = 0; index < value.length; index++) at = bytes.writeFloatBE(value[index] ?? 0, at)
  output.length = at
}
