/** The model of a store that sources are tested against: objects with all their versions, listings in pages, and answers that fail as told. */

/** One version of an object. */
export interface StoredObject {
  /** POSIX path below the root. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Unique among all versions of all objects of the store; it grows with each. */
  readonly version: number
  /** Milliseconds since the epoch, by the clock of the store or of whoever wrote the object: it may lie in the past or the future. */
  readonly modified: number
}

/** A request to the store, as it was counted. `look`: for what the store says of one object, without its bytes. */
export type Request =
  | { readonly kind: "list"; readonly from: string | null }
  | { readonly kind: "look" | "read"; readonly path: string }

/** An answer that is not what was asked for. */
export type Fault =
  /** A status of HTTP: 401, 403, 404, 410, 429, 500, 503. `retryAfter` in seconds. */
  | { readonly _tag: "Refused"; readonly status: number; readonly retryAfter?: number | undefined }
  /** The connection breaks after this share of the answer's body, from 0 to below 1. */
  | { readonly _tag: "Broken"; readonly share: number }
  /** A success without a body. */
  | { readonly _tag: "Blank" }
  /** A page of a listing that holds the last object of the page before it again. */
  | { readonly _tag: "Repeated" }
  /** A page of a listing, from the third on, that names the second page as the next. */
  | { readonly _tag: "Looped" }

/** The answer to a request, which a double puts into the words of its protocol. */
export type Answer<A> =
  | {
      readonly _tag: "Given"
      readonly value: A
      /** Share of the body after which the connection breaks; 1 for a whole answer. */
      readonly share: number
    }
  | Extract<Fault, { readonly _tag: "Refused" | "Blank" }>

/** A page of a listing. */
export interface Page {
  readonly objects: ReadonlyArray<StoredObject>
  /** Token of the next page; null on the last. A token is valid for any number of requests, and names a path and not a count. */
  readonly next: string | null
}

/** The condition and the part of a read. */
export interface Range {
  /** First byte; default 0. */
  readonly start?: number | undefined
  /** Version that is wanted: another one is refused with 412. Default any. */
  readonly version?: number | undefined
}

const none = (): undefined => undefined

/** A store in memory, which knows no protocol. All calls are synchronous. */
export class Store {
  /** Objects on a page of a listing. */
  pageSize = 4
  /** Milliseconds that pass before each write. */
  tick = 0
  /** False: a double tells no version of an object, neither ETag nor date. */
  versioned = true
  /** Decides about each request before it is answered, and may change the store. */
  fault: (request: Request) => Fault | undefined = none
  /** Requests so far, in order. */
  readonly requests: Array<Request> = []
  readonly #objects = new Map<string, StoredObject>()
  readonly #past = new Map<string, ReadonlyArray<StoredObject>>()
  readonly #listeners = new Set<(path: string) => void>()
  /** By the clock of the store. */
  #now = Date.UTC(2026, 0, 5)
  #versions = 0

  /** Writes a version. `modified`: its time stamp; default that of the store's clock. */
  put(path: string, bytes: Uint8Array, modified?: number): void {
    this.#versions += 1
    this.#now += this.tick
    const object = { path, bytes, version: this.#versions, modified: modified ?? this.#now }
    this.#objects.set(path, object)
    this.#past.set(path, [...this.past(path), object])
    this.#tell(path)
  }

  remove(path: string): void {
    if (this.#objects.delete(path)) this.#tell(path)
  }

  /** Gives an object another path; its time stamp stays. */
  move(from: string, to: string): void {
    const object = this.#objects.get(from)
    if (object === undefined) return
    this.remove(from)
    this.put(to, object.bytes, object.modified)
  }

  /** Brings back the first version that a path had, with its time stamp, under a new version number. */
  restore(path: string): void {
    const [first] = this.past(path)
    if (first !== undefined) this.put(path, first.bytes, first.modified)
  }

  get(path: string): StoredObject | undefined {
    return this.#objects.get(path)
  }

  /** Objects that are there, in the order of their paths by UTF-16 code units. */
  get objects(): ReadonlyArray<StoredObject> {
    return [...this.#objects.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1))
  }

  /** All versions that a path ever had, the oldest first. */
  past(path: string): ReadonlyArray<StoredObject> {
    return this.#past.get(path) ?? []
  }

  /** Calls the listener with the path of each object after it was changed or removed; returns what ends that. */
  listen(listener: (path: string) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** A page of the listing, from the beginning or from the token of an earlier page on. */
  list(from: string | null): Answer<Page> {
    return this.#answer({ kind: "list", from }, (fault) => {
      const all = this.objects
      const after = from === null ? null : decodeURIComponent(from)
      const start = after === null ? 0 : all.filter(({ path }) => path <= after).length
      const end = Math.min(start + this.pageSize, all.length)
      const loops = fault?._tag === "Looped" && start >= 2 * this.pageSize
      const last = all[(loops ? this.pageSize : end) - 1]
      return given({
        objects: all.slice(fault?._tag === "Repeated" ? Math.max(0, start - 1) : start, end),
        next: end < all.length && last !== undefined ? encodeURIComponent(last.path) : null
      })
    })
  }

  /** What the store says of an object; 404 where it is not there. */
  look(path: string): Answer<StoredObject> {
    return this.#answer({ kind: "look", path }, () => {
      const object = this.get(path)
      return object === undefined ? { _tag: "Refused", status: 404 } : given(object)
    })
  }

  /** The bytes of an object from `start` on; 404, 412 or 416 where there are none, another version, or no more. */
  read(path: string, { start = 0, version }: Range = {}): Answer<StoredObject> {
    return this.#answer({ kind: "read", path }, () => {
      const object = this.get(path)
      if (object === undefined) return { _tag: "Refused", status: 404 }
      if (version !== undefined && version !== object.version) return { _tag: "Refused", status: 412 }
      if (start > 0 && start >= object.bytes.length) return { _tag: "Refused", status: 416 }
      return given({ ...object, bytes: object.bytes.subarray(start) })
    })
  }

  #answer<A>(request: Request, honest: (fault: Fault | undefined) => Answer<A>): Answer<A> {
    this.requests.push(request)
    const fault = this.fault(request)
    if (fault?._tag === "Refused" || fault?._tag === "Blank") return fault
    const answer = honest(fault)
    return fault?._tag === "Broken" && answer._tag === "Given" ? { ...answer, share: fault.share } : answer
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path)
  }
}

const given = <A>(value: A): Answer<A> => ({ _tag: "Given", value, share: 1 })
