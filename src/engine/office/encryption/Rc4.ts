/** RC4 cipher of old workbooks, which OpenSSL 3 no longer offers. */

/** The first `length` bytes of the key stream; exclusive or with the data decrypts it. */
export const keyStream = (key: Uint8Array, length: number): Uint8Array => {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const swap = (left: number, right: number): void => {
    const held = state[left] ?? 0
    state[left] = state[right] ?? 0
    state[right] = held
  }
  let other = 0
  for (let at = 0; at < 256; at++) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255
    swap(at, other)
  }
  const stream = new Uint8Array(length)
  let second = 0
  for (let at = 0; at < length; at++) {
    const first = (at + 1) & 255
    second = (second + (state[first] ?? 0)) & 255
    swap(first, second)
    stream[at] = state[((state[first] ?? 0) + (state[second] ?? 0)) & 255] ?? 0
  }
  return stream
}
