/** Writes one-dimensional arrays in PostgreSQL's binary format: what formatting and parsing of text would cost is saved. */

/** Object ids of built-in types. */
const oids = { text: 25, integer: 23 } as const

const headerLength = 20

const begin = (oid: number, count: number, bytes: number): Buffer => {
  const output = Buffer.allocUnsafe(headerLength + bytes)
  output.writeInt32BE(count === 0 ? 0 : 1, 0)
  output.writeInt32BE(1, 4)
  output.writeUInt32BE(oid, 8)
  output.writeInt32BE(count, 12)
  output.writeInt32BE(1, 16)
  return output
}

/** An array without elements has no dimensions, and its header ends before them. */
const end = (output: Buffer, count: number): Uint8Array => (count === 0 ? output.subarray(0, 12) : output)

/** `text[]` */
export const texts = (values: ReadonlyArray<string | null>): Uint8Array => {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value, "utf8")))
  const output = begin(
    oids.text,
    values.length,
    lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0)
  )
  let at = headerLength
  for (const [index, value] of values.entries()) {
    at = output.writeInt32BE(lengths[index] ?? -1, at)
    if (value !== null) at += output.write(value, at, "utf8")
  }
  return end(output, values.length)
}

/** `int4[]` */
export const integers = (values: ReadonlyArray<number>): Uint8Array => {
  const output = begin(oids.integer, values.length, 8 * values.length)
  let at = headerLength
  for (const value of values) at = output.writeInt32BE(value, output.writeInt32BE(4, at))
  return end(output, values.length)
}

/** `vector[]`; `oid` is the type's in this database. */
export const vectors = (oid: number, values: ReadonlyArray<ArrayLike<number> | undefined>): Uint8Array => {
  const output = begin(
    oid,
    values.length,
    values.reduce((sum, value) => sum + (value === undefined ? 4 : 8 + 4 * value.length), 0)
  )
  const view = viewOf(output)
  let at = headerLength
  for (const value of values) {
    view.setInt32(at, value === undefined ? -1 : 4 + 4 * value.length)
    at = value === undefined ? at + 4 : putVector(view, value, at + 4)
  }
  return end(output, values.length)
}

/** `vector` */
export const vector = (value: ArrayLike<number>): Uint8Array => {
  const output = Buffer.allocUnsafe(4 + 4 * value.length)
  putVector(viewOf(output), value, 0)
  return output
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength)

const putVector = (view: DataView, value: ArrayLike<number>, from: number): number => {
  view.setUint16(from, value.length)
  view.setUint16(from + 2, 0)
  let at = from + 4
  for (let index = 0; index < value.length; index++, at += 4) view.setFloat32(at, value[index] ?? 0)
  return at
}
