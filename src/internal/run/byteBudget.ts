import * as Effect from "effect/Effect"

/** Bytes of one document that are counted as held. */
export interface Lease {
  /** Sets the number of bytes held; never waits, so that a document in flight can continue. */
  readonly resize: (bytes: number) => void
  /** Returns all bytes; to be called once. */
  readonly release: () => void
}

interface Waiting {
  readonly bytes: number
  readonly resume: (lease: Effect.Effect<Lease>) => void
}

/** NaN or infinity, from a parser or chunker of the program, counts as 0: it would block every later document. */
const countable = (bytes: number): number => (Number.isFinite(bytes) ? Math.max(0, bytes) : 0)

/**
 * Bounds the bytes held at a time. First come, first served; a document above the bound is admitted alone. Bytes that a document
 * holds beyond its reservation count against the documents after it.
 */
export class ByteBudget {
  private used = 0
  private waiting: Array<Waiting> = []
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  /** Waits until this number of bytes is free. */
  readonly reserve = (asked: number): Effect.Effect<Lease> =>
    Effect.suspend(() => {
      const bytes = countable(asked)
      return this.waiting.length === 0 && this.fits(bytes) ? Effect.succeed(this.lease(bytes)) : this.turn(bytes)
    })

  /** True while a document waits for bytes that others hold. */
  get exhausted(): boolean {
    return this.waiting.length > 0
  }

  /** Bytes held now. */
  get held(): number {
    return this.used
  }

  private turn(bytes: number): Effect.Effect<Lease> {
    return Effect.async<Lease>((resume) => {
      const entry: Waiting = { bytes, resume }
      this.waiting.push(entry)
      return Effect.sync(() => {
        this.waiting = this.waiting.filter((other) => other !== entry)
      })
    })
  }

  private fits(bytes: number): boolean {
    return this.used === 0 || this.used + bytes <= this.max
  }

  private lease(reserved: number): Lease {
    let bytes = reserved
    this.used += bytes
    return {
      resize: (asked) => {
        const next = countable(asked)
        this.change(next - bytes)
        bytes = next
      },
      release: () => {
        this.change(-bytes)
        bytes = 0
      }
    }
  }

  private change(difference: number): void {
    this.used += difference
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.bytes); next = this.waiting[0]) {
      this.waiting.shift()
      next.resume(Effect.succeed(this.lease(next.bytes)))
    }
  }
}
