/** Bytes that are read at any place: of an open file, or in memory. */
export interface ByteHandle {
  readonly read: (
    buffer: Buffer,
    offset: number,
    length: number,
    position: number
  ) => Promise<{ readonly bytesRead: number; readonly buffer: Buffer }>
  readonly stat: (options: { readonly bigint: true }) => Promise<Stat>
  readonly close: () => Promise<void>
}

/** What is known of a file without its bytes. */
export interface Stat {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ino: bigint
  readonly isFile: () => boolean
}

/** Bytes in memory, which are not to be changed. */
export const ofBytes = (bytes: Uint8Array): ByteHandle => ({
  read: (buffer, offset, length, position) => {
    const found = bytes.subarray(position, position + length)
    buffer.set(found, offset)
    return Promise.resolve({ bytesRead: found.length, buffer })
  },
  stat: () => Promise.resolve({ size: BigInt(bytes.length), mtimeNs: 0n, ino: 0n, isFile: () => true }),
  close: () => Promise.resolve()
})
