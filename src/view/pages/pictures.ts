/** Pictures of one document's pages: one request at a time, those in sight first, and none kept far away. */
import type { Calls } from "../desk/calls.ts"
import { Store } from "../desk/store.ts"

export interface Picture {
  /** A `blob:` address. */
  readonly url: string
  /** Height by width, as the picture is. */
  readonly ratio: number
  readonly width: number
}

export interface PicturesState {
  readonly pictures: ReadonlyMap<number, Picture>
  /** Pages that cannot be drawn, and why. */
  readonly troubles: ReadonlyMap<number, string>
}

/** Pages on each side of those in sight whose pictures are kept. */
const kept = 6

/** Widths that are asked for, so that a change of some pixels draws nothing again. */
const step = 200

export const widthFor = (pixels: number): number => Math.min(2000, Math.max(2 * step, Math.ceil(pixels / step) * step))

/** Pages to fetch in this order: those in sight, then the next one. */
export const wanted = (seen: ReadonlyArray<number>, count: number): ReadonlyArray<number> => {
  const last = seen.at(-1)
  return last === undefined || last >= count ? seen : [...seen, last + 1]
}

const ratioOf = async (blob: Blob): Promise<number> => {
  const bitmap = await createImageBitmap(blob)
  const ratio = bitmap.height / bitmap.width
  bitmap.close()
  return ratio
}

export class Pictures extends Store<PicturesState> {
  readonly #calls: Calls
  readonly #path: string
  readonly #count: number
  #seen: ReadonlyArray<number> = []
  #width = 800
  #busy: { readonly page: number; readonly abort: AbortController } | null = null
  #closed = false

  /** `path` is `documents/ID` or `hits/ID`. */
  constructor(calls: Calls, path: string, count: number) {
    super({ pictures: new Map(), troubles: new Map() })
    this.#calls = calls
    this.#path = path
    this.#count = count
  }

  /** Pages in sight, ascending, and the width at which they are shown in device pixels. */
  see(pages: ReadonlyArray<number>, pixels: number): void {
    this.#seen = pages
    this.#width = widthFor(pixels)
    this.#forget()
    if (this.#busy !== null && !wanted(pages, this.#count).includes(this.#busy.page)) this.#busy.abort.abort()
    void this.#next()
  }

  close(): void {
    this.#closed = true
    this.#busy?.abort.abort()
    for (const { url } of this.state.pictures.values()) URL.revokeObjectURL(url)
    this.set({ pictures: new Map(), troubles: new Map() })
  }

  #forget(): void {
    const [first] = this.#seen
    const last = this.#seen.at(-1)
    if (first === undefined || last === undefined) return
    const far = Array.from(this.state.pictures.keys()).filter((page) => page < first - kept || page > last + kept)
    if (far.length === 0) return
    const pictures = new Map(this.state.pictures)
    for (const page of far) {
      URL.revokeObjectURL(pictures.get(page)?.url ?? "")
      pictures.delete(page)
    }
    this.set({ ...this.state, pictures })
  }

  async #next(): Promise<void> {
    if (this.#busy !== null || this.#closed) return
    const { pictures, troubles } = this.state
    const page = wanted(this.#seen, this.#count).find(
      (number) => !troubles.has(number) && (pictures.get(number)?.width ?? 0) < this.#width
    )
    if (page === undefined) return
    const abort = new AbortController()
    const width = this.#width
    this.#busy = { page, abort }
    const outcome = await this.#calls.picture(this.#path, page, width, abort.signal)
    if (outcome.ok) await this.#keep(page, width, outcome.value)
    else if (!abort.signal.aborted) this.#refuse(page, outcome.trouble.message)
    this.#busy = null
    void this.#next()
  }

  async #keep(page: number, width: number, blob: Blob): Promise<void> {
    const ratio = await ratioOf(blob).catch(() => undefined)
    if (ratio === undefined) return this.#refuse(page, "The picture cannot be read.")
    if (this.#closed) return
    const earlier = this.state.pictures.get(page)
    if (earlier !== undefined) URL.revokeObjectURL(earlier.url)
    const pictures = new Map(this.state.pictures).set(page, { url: URL.createObjectURL(blob), ratio, width })
    this.set({ ...this.state, pictures })
  }

  #refuse(page: number, message: string): void {
    if (!this.#closed) this.set({ ...this.state, troubles: new Map(this.state.troubles).set(page, message) })
  }
}
