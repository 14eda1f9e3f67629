/**
 * CRC-32 of a zip archive's parts: `node:zlib` has it from Node 22.2 on only.
 *
 * @since 0.1.0
 */

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

/**
 * @since 0.1.0
 * @category accessors
 */
export const crc32 = (bytes: Uint8Array): number => {
  let value = 0xffffffff
  for (let at = 0; at < bytes.length; at++) value = (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}
