/** What has to be true of a simulation, by name. */
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Bounds from "./Bounds.ts"
import * as Documents from "./Documents.ts"
import { vectorOf } from "./Servers.ts"
import { SinkStore, type Store } from "./Sinks.ts"
import { uploads, type World } from "./World.ts"

/** A promise that was broken. */
export interface Violation {
  readonly invariant: Invariant
  readonly problem: string
}

export const invariants = [
  "each document once and whole",
  "nothing of a deleted document",
  "nothing deleted that is there",
  "nothing paid twice",
  "memory bounded",
  "ledger, stores and letters agree",
  "every call ends",
  "a watch catches up",
  "nothing is left to do",
  "no defect"
] as const

export type Invariant = (typeof invariants)[number]

/** A change of an uploaded document by a call. */
interface Change {
  /** Null: it was removed. */
  readonly content: Documents.Content | null
  readonly start: number
  /** Infinite as long as the call runs. */
  end: number
  ok: boolean
}

/** Longest time in which a server works on a request whose process is gone. */
const afterwards = 15_000

export class Oracle {
  readonly violations: Array<Violation> = []
  /** True once a call removed a document. */
  removing = false
  /** Processes and ids of documents that they were asked to remove: a frozen one does so when it goes on. */
  readonly asked = new Set<string>()
  /** Ids of documents whose removal broke off: it is completed by another call, and by nothing else. */
  readonly halfRemoved = new Set<string>()
  /** Documents that processes hold. */
  readonly held = new Bounds.Held()
  /** Processes that worked on a queue. */
  readonly working = new Set<string>()
  private readonly world: World
  private readonly changes = new Map<string, Array<Change>>()
  /** Times at which documents of roots were not there, the last of each. */
  private readonly absent = new Map<string, { since: number; until: number }>()
  private readonly stored = new Map<string, number>()

  constructor(world: World) {
    this.world = world
    for (const [root, store] of world.sources) {
      store.listen((path) => {
        const id = `${root}/${path}`
        const { now } = world.kernel
        if (store.get(path) === undefined) this.absent.set(id, { since: now, until: Number.POSITIVE_INFINITY })
        else {
          const before = this.absent.get(id)
          if (before !== undefined && before.until > now) before.until = now
        }
      })
    }
    for (const sink of world.sinks) sink.onChange = (process, documents) => this.looked(sink, process, documents)
    this.watchBounds()
    world.servers.onParse = (process, content) => {
      const { now } = world.kernel
      const key = Documents.keyOf(content)
      const had = world.servers.charges.find(
        (charge) =>
          charge.key === key &&
          charge.delivered !== null &&
          charge.delivered + calm < now &&
          charge.process.frozen === null &&
          charge.process.thawed < charge.at &&
          (charge.process.alive || charge.process.died > charge.delivered + calm)
      )
      // Answers of a removed document are removed with it.
      if (had === undefined || this.removing || world.isTroubled(process, had.at - 40_000)) return
      const which = `${had.process.name} has had since ${Math.round(had.delivered ?? 0)} ms`
      this.violate("nothing paid twice", `${process.name} has ${key} parsed, whose answer ${which}`)
    }
  }

  violate(invariant: Invariant, problem: string): void {
    this.world.kernel.note("oracle", `${invariant}: ${problem}`)
    this.violations.push({ invariant, problem })
  }

  /** No process has more open or holds more than its bounds say. Workers of a queue hold as many documents as they have runs. */
  private watchBounds(): void {
    const { network, servers, setting, sinks } = this.world
    network.onOpen = (process, server, open) => {
      const most = Bounds.requestsOf(server, setting.lean) ?? Number.POSITIVE_INFINITY
      if (open > most) this.violate("memory bounded", `${process.name} has ${open} requests open to the ${server}`)
    }
    network.onTrouble = (process) => this.held.lost(process)
    for (const sink of sinks) {
      if (sink instanceof SinkStore) sink.onSent = (process, texts) => this.held.went(process, texts)
    }
    servers.onDelivered = (process, key) => {
      const count = this.held.came(process, key)
      if (setting.lean === "documents" && count > 1 && !this.working.has(process.name)) {
        this.violate(
          "memory bounded",
          `${process.name} holds ${count} documents, ${key} the last, and no store got one`
        )
      }
    }
  }

  /** A call that changes an uploaded document begins; returns what ends it. */
  begins(path: string, content: Documents.Content | null): (ok: boolean) => void {
    const { kernel } = this.world
    const change: Change = { content, start: kernel.now, end: Number.POSITIVE_INFINITY, ok: false }
    this.changes.set(path, [...(this.changes.get(path) ?? []), change])
    return (ok) => {
      change.end = kernel.now + (ok ? 0 : afterwards)
      change.ok = ok
    }
  }

  /** Compares stores, ledger and letters with the sources, after everything ended well. */
  judge(): void {
    for (const sink of this.world.sinks) {
      const documents = chunksOf(sink)
      for (const root of this.world.sources.keys()) this.compareRoot(sink, root, documents)
      for (const path of this.changes.keys()) {
        const possible = this.possible(path)
        // The note of a change that broke off is lost with the power: doctor takes what the store got of it for a stranger's.
        const right = this.world.wasCut && possible.length > 1 ? [null, ...possible] : possible
        this.compare(sink, `${uploads}/${path}`, documents, right)
      }
      for (const [id, chunks] of documents) {
        this.violate("nothing of a deleted document", `${sink.id} holds ${chunks.length} chunks of ${id}`)
      }
    }
  }

  /** Compares the stores with a root that is watched. */
  caughtUp(root: string): void {
    const late = "a watch catches up"
    for (const sink of this.world.sinks) {
      const documents = chunksOf(sink)
      this.compareRoot(sink, root, documents, late)
      for (const id of documents.keys())
        if (id.startsWith(`${root}/`)) this.violate(late, `${sink.id} still holds ${id}`)
    }
  }

  /** Compares the documents of a root, and takes them out of `documents`. */
  private compareRoot(
    sink: Store,
    root: string,
    documents: Map<string, Array<DocumentChunk>>,
    broken?: Invariant
  ): void {
    const store = this.world.sources.get(root)
    for (const { bytes, path } of store?.objects ?? []) {
      const content = Documents.contentIn(bytes)
      const past = store?.past(path).flatMap((object) => Documents.contentIn(object.bytes) ?? []) ?? []
      const right = content === undefined || content.bad ? [null, ...past] : [content]
      this.compare(sink, `${root}/${path}`, documents, right, broken)
    }
  }

  /** True for a document of which a call did a part that only another call ends: a removal that broke off, an add that failed or broke off. */
  private isHalf(id: string, failures: ReadonlyArray<string>): boolean {
    if (this.halfRemoved.has(id)) return true
    const added = id.startsWith(`${uploads}/`)
    return added && (failures.includes(id) || this.possible(id.slice(uploads.length + 1)).length > 1)
  }

  /** True if no call has to be made again before ledger and stores agree. */
  get isWhole(): boolean {
    const { failures, pending } = this.world.state.standing()
    return this.halfRemoved.size === 0 && ![...failures, ...pending].some((id) => this.isHalf(id, failures))
  }

  /** Compares the tables of the ledger and the letters with the documents. */
  compareState(): void {
    const { sources, state } = this.world
    const disagree = (problem: string) => this.violate("ledger, stores and letters agree", problem)
    const { failures, letters, pending } = state.standing()
    const left = pending.filter((id) => !this.isHalf(id, failures))
    if (left.length > 0) disagree(`chunks are still to be removed of ${left.join(", ")}`)
    const unfounded = failures.filter((id) => {
      const [root = "", ...path] = id.split("/")
      const bytes = sources.get(root)?.get(path.join("/"))?.bytes
      return root !== uploads && (bytes === undefined || Documents.contentIn(bytes)?.bad !== true)
    })
    if (unfounded.length > 0) disagree(`${unfounded.join(", ")} count as failed`)
    if (failures.join() !== letters.join())
      disagree(`${failures.join(", ")} failed, letters are of ${letters.join(", ")}`)
  }

  /** The contents that an uploaded document may have, by the calls that changed it; null for none. */
  private possible(path: string): ReadonlyArray<Documents.Content | null> {
    const changes: ReadonlyArray<Change> = [
      { content: null, start: -1, end: -1, ok: true },
      ...(this.changes.get(path) ?? [])
    ]
    return changes
      .filter(({ end }) => !changes.some((other) => other.ok && other.start > end))
      .map(({ content }) => content)
  }

  private compare(
    sink: Store,
    id: string,
    documents: Map<string, Array<DocumentChunk>>,
    right: ReadonlyArray<Documents.Content | null>,
    broken: Invariant = "each document once and whole"
  ): void {
    const chunks = documents.get(id) ?? []
    documents.delete(id)
    const wrong = chunks.find(({ embedText, embedding }) => !this.hasVector(embedText, embedding))
    if (wrong !== undefined) this.violate(broken, `${sink.id}: a chunk of ${id} has another's vector`)
    const marks = chunks.flatMap(({ text }) => Documents.marksIn(text)).toSorted()
    const fits = right.some((content) => {
      const wanted = content === null || content.bad ? [] : Documents.marksOf(content).toSorted()
      return wanted.join() === marks.join()
    })
    if (fits) return
    const wanted = right
      .map((content) => (content === null ? "nothing" : Documents.marksOf(content).join("")))
      .join(" or ")
    this.violate(broken, `${sink.id} holds ${marks.join("") || "nothing"} of ${id}, not ${wanted}`)
  }

  private hasVector(text: string, vector: ArrayLike<number> | undefined): boolean {
    if (!this.world.setting.embeds || vector === undefined) return this.world.setting.embeds === (vector !== undefined)
    const raw = vectorOf(text)
    const length = Math.hypot(...raw)
    return raw.every((component, at) => Math.abs(component / length - (vector[at] ?? 0)) < 1e-6)
  }

  /** After each change of a store: a document that the ledger counts as stored there may only vanish if it was not in its source. */
  private looked(sink: Store, process: { readonly name: string }, documents: ReadonlySet<string>): void {
    for (const id of documents) {
      const count = [...sink.chunks.values()].filter((chunk) => chunk.documentId === id).length
      const before = this.stored.get(`${sink.id} ${id}`) ?? 0
      this.stored.set(`${sink.id} ${id}`, count)
      if (count > 0 || before === 0 || id.startsWith(`${uploads}/`)) continue
      if (this.asked.has(`${process.name} ${id}`) || !this.world.state.isStored(sink.id, id)) continue
      const since = this.world.runningSince(process.name)
      const gone = this.absent.get(id)
      if (gone === undefined || gone.until < since) {
        this.violate(
          "nothing deleted that is there",
          `${process.name} removes ${id} from ${sink.id}, which was there all the time`
        )
      }
    }
  }
}

/** Milliseconds in which an answer that was just kept may be missed. */
const calm = 5000

/** The chunks of a store, by document. */
const chunksOf = (sink: Store): Map<string, Array<DocumentChunk>> => {
  const documents = new Map<string, Array<DocumentChunk>>()
  for (const chunk of sink.chunks.values()) {
    documents.set(chunk.documentId, [...(documents.get(chunk.documentId) ?? []), chunk])
  }
  return documents
}
