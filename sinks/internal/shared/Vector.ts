/** The vector as 32-bit floats, little-endian. */
export const littleEndian = (vector: ArrayLike<number>): Uint8Array => {
  const view = new DataView(new ArrayBuffer(4 * vector.length))
  for (let index = 0; index < vector.length; index++) view.setFloat32(4 * index, vector[index] ?? 0, true)
  return Buffer.from(view.buffer)
}
