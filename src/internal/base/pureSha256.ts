/** SHA-256 without Node, for browsers and workers: FIPS 180-4. `sha256.ts` has what it gives; Node's own is `nodeSha256.ts`. */

const blockBytes = 64

const primes: ReadonlyArray<number> = Array.from({ length: 312 }, (_, index) => index).filter(
  (number) => number > 1 && !Array.from({ length: number }, (_, at) => at).some((at) => at > 1 && number % at === 0)
)

/** 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 0x1_0000_0000) | 0

const initial: ReadonlyArray<number> = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

const constants = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

class Hash {
  private readonly state = Int32Array.from(initial)
  private readonly schedule = new Int32Array(64)
  private readonly block = new Uint8Array(blockBytes)
  private readonly view = new DataView(this.block.buffer)
  private length = 0

  update(part: Uint8Array): this {
    for (let from = 0; from < part.length;) {
      const at = this.length % blockBytes
      const piece = part.subarray(from, from + blockBytes - at)
      this.block.set(piece, at)
      from += piece.length
      this.length += piece.length
      if (at + piece.length === blockBytes) this.compress()
    }
    return this
  }

  private compress(): void {
    const { schedule: words, state } = this
    for (let at = 0; at < 16; at++) words[at] = this.view.getInt32(at * 4)
    const word = (at: number): number => words[at] ?? 0
    for (let at = 16; at < 64; at++) {
      const [near, far] = [word(at - 2), word(at - 15)]
      const nearMix = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10)
      const farMix = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3)
      words[at] = word(at - 16) + farMix + word(at - 7) + nearMix
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let at = 0; at < 64; at++) {
      const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const first = (h + mixed + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + word(at)) | 0
      const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value
  }

  digest(): Uint8Array {
    const { length } = this
    // A mark, zeros, and the number of bits in the last eight bytes of a block.
    this.update(Uint8Array.of(0x80))
    this.update(new Uint8Array((2 * blockBytes - 8 - (this.length % blockBytes)) % blockBytes))
    const end = new DataView(new ArrayBuffer(8))
    end.setBigUint64(0, BigInt(length) * 8n)
    this.update(new Uint8Array(end.buffer))
    const digest = new DataView(new ArrayBuffer(32))
    for (const [at, value] of this.state.entries()) digest.setInt32(at * 4, value)
    return new Uint8Array(digest.buffer)
  }
}

const encoder = new TextEncoder()

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

export const bytes = (data: string | Uint8Array): Uint8Array =>
  new Hash().update(typeof data === "string" ? encoder.encode(data) : data).digest()

export const sha256 = (data: string | Uint8Array): string => hex(bytes(data))

export const digest = (text: string): string => String.fromCharCode(...bytes(text))

export const incremental = (): { readonly update: (part: Uint8Array) => void; readonly digest: () => string } => {
  const hash = new Hash()
  return {
    update: (part) => void hash.update(part),
    digest: () => hex(hash.digest())
  }
}
