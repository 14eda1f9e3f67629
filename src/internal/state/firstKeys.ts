/** Keys of a store that was empty when it was opened: a key that is not among them needs no look into the database. */
export interface FirstKeys {
  /** False for a key that the store certainly does not have. `hash`: the key, or a text with it at the begin, in hexadecimal. */
  readonly mayHave: (hash: string) => boolean
  readonly add: (hash: string) => void
}

/** Keys that are remembered, in some 40 bytes each; a store with more of them is asked. */
const most = 50_000

/** As many digits as a number holds exactly. */
const short = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16)

/** `isEmpty`: the store has no entry, and only this process adds some. */
export const make = (isEmpty: boolean): FirstKeys => {
  let known: Set<number> | null = isEmpty ? new Set() : null
  return {
    mayHave: (hash) => known === null || known.has(short(hash)),
    add: (hash) => {
      if (known === null) return
      known.add(short(hash))
      if (known.size > most) known = null
    }
  }
}
