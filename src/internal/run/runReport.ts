/** Figures for the report of a run, collected in constant memory whatever its number of documents. */
import { isEmpty, type Outcome, type Stored, type Summary } from "../../Outcome.ts"
import * as Message from "../base/message.ts"
import { ChunkSizes, Document, Failures, maxBytes, Remark, RunReport } from "../state/ledger/runReport.ts"
import { isDuplicate, unchecked } from "./outcome.ts"
import { Top } from "./top.ts"

/** Items of a list of the report. */
const most = 20

/** Upper bounds of the bars of chunk sizes, in tokens. */
const bounds = [16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768, 1024, 1536, 2048, 4096, 8192]

/** A group of failures while it grows. */
interface Group {
  readonly tag: string
  count: number
  retryable: boolean
  readonly documents: Array<Remark>
}

/** Waits, and chunks by size, as one process noted them. */
export interface Noted {
  readonly waits: { readonly count: number; readonly total: number; readonly longest: number }
  /** Number of the bar, and its chunks. */
  readonly sizes: ReadonlyArray<readonly [bar: number, chunks: number]>
}

/** Subject of a report. */
export interface Subject {
  readonly startedAt: number
  readonly finishedAt: number
  readonly root: string | null
  readonly folder: string | null
  readonly sinks: ReadonlyArray<string>
}

export class Collected {
  /** Starts of the documents that have no outcome yet. */
  private readonly begun = new Map<string, number>()
  private readonly largest = new Top<Document>(most, ({ bytes }) => bytes)
  private readonly slowest = new Top<Document>(most, ({ millis }) => millis)
  private readonly empty: Array<Document> = []
  private readonly truncated: Array<Document> = []
  private readonly removals: Array<string> = []
  private readonly groups = new Map<string, Group>()
  private readonly sizes = Array.from({ length: bounds.length + 1 }, () => 0)
  private readonly waits = { count: 0, total: 0, longest: 0 }
  private readonly now: () => number

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.now = now
  }

  /** The turn of a document that is not known to be unchanged; `ago` milliseconds ago. */
  readonly began = (source: string, ago: number = 0): void => {
    this.begun.set(source, this.now() - ago)
  }

  /** Takes the figures since the last call, for the report of another process. */
  readonly take = (): Noted => {
    const noted = {
      waits: { ...this.waits },
      sizes: this.sizes.flatMap((chunks, bar) => (chunks === 0 ? [] : [[bar, chunks] as const]))
    }
    Object.assign(this.waits, { count: 0, total: 0, longest: 0 })
    this.sizes.fill(0)
    return noted
  }

  /** Adds what another process noted. */
  readonly merge = ({ sizes, waits }: Noted): void => {
    this.waits.count += waits.count
    this.waits.total += waits.total
    this.waits.longest = Math.max(this.waits.longest, waits.longest)
    for (const [bar, chunks] of sizes) {
      if (bar < this.sizes.length) this.sizes[bar] = (this.sizes[bar] ?? 0) + chunks
    }
  }

  readonly add = (outcome: Outcome): void => {
    if (this.begun.size === 0 && outcome._tag === "Unchanged") return
    const started = isDuplicate(outcome) ? undefined : this.begun.get(outcome.source)
    if (started !== undefined) this.begun.delete(outcome.source)
    const millis = started === undefined ? 0 : Math.max(0, this.now() - started)
    if (outcome._tag === "Failed") {
      const { message, retryable, source, tag } = outcome
      const group = this.group(tag)
      group.count += 1
      group.retryable ||= retryable
      if (group.documents.length < most) group.documents.push(new Remark({ source, message }, unchecked))
      if (this.slowest.admits(millis))
        this.slowest.add(new Document({ ...nothing, source, millis, failed: tag }, unchecked))
    } else if (outcome._tag === "Stored") this.stored(outcome, millis)
  }

  private stored(outcome: Stored, millis: number): void {
    const { bytes, truncated } = outcome
    const empty = isEmpty(outcome)
    const listed =
      (empty && this.empty.length < most) || (truncated && this.truncated.length < most) || this.largest.admits(bytes)
    if (!listed && !this.slowest.admits(millis)) return
    const { chunks, pages, source, tokens } = outcome
    const held = chunks.added + chunks.unchanged
    const document = new Document({ source, bytes, pages, chunks: held, tokens, millis, failed: null }, unchecked)
    this.largest.add(document)
    this.slowest.add(document)
    if (empty && this.empty.length < most) this.empty.push(document)
    if (truncated && this.truncated.length < most) this.truncated.push(document)
  }

  private group(tag: string): Group {
    const known = this.groups.get(tag)
    if (known !== undefined) return known
    const name = this.groups.size < most ? tag : ""
    const group = this.groups.get(name) ?? { tag: name, count: 0, retryable: false, documents: [] }
    this.groups.set(name, group)
    return group
  }

  /** The chunks of a document that was stored. */
  readonly chunks = (chunks: ReadonlyArray<{ readonly tokens: number }>): void => {
    for (const { tokens } of chunks) {
      let at = 0
      while (at < bounds.length && tokens > (bounds[at] ?? 0)) at += 1
      this.sizes[at] = (this.sizes[at] ?? 0) + 1
    }
  }

  /** A document that was removed from the sinks. */
  readonly removed = (source: string): void => {
    if (this.removals.length < most) this.removals.push(source)
  }

  /** A wait between two attempts of a document. */
  readonly waited = (milliseconds: number): void => {
    const millis = Math.max(0, Math.round(milliseconds))
    this.waits.count += 1
    this.waits.total += millis
    this.waits.longest = Math.max(this.waits.longest, millis)
  }

  /** The report of the run so far. */
  readonly report = (summary: Summary, subject: Subject): RunReport => {
    const { failures: _, unsupportedTypes, warnings, ...counts } = summary
    return fitted({
      ...counts,
      ...subject,
      waits: { ...this.waits },
      failures: [...this.groups.values()].toSorted(
        (left, right) => Number(left.tag === "") - Number(right.tag === "") || right.count - left.count
      ),
      unsupportedTypes: Object.entries(unsupportedTypes ?? {})
        .map(([extension, count]) => ({ extension, count }))
        .toSorted((left, right) => right.count - left.count),
      warnings: { count: warnings.length, first: warnings.slice(0, most) },
      largest: this.largest.all(),
      slowest: this.slowest.all(),
      emptyDocuments: this.empty,
      truncatedDocuments: this.truncated,
      removedDocuments: this.removals,
      chunkSizes: this.sizes.map((chunks, at) => new ChunkSizes({ upTo: bounds[at] ?? null, chunks }, unchecked))
    })
  }
}

const nothing = { bytes: 0, pages: 0, chunks: 0, tokens: 0 } as const

type Members = ConstructorParameters<typeof RunReport>[0]

/** Characters of a text and items of a list, at most: the first that make the report small enough count. */
const limits = [
  { text: 1000, list: most },
  { text: 240, list: most },
  { text: 80, list: most },
  { text: 40, list: 10 },
  { text: 20, list: 5 }
] as const

const fitted = (members: Members): RunReport => {
  for (const { list, text } of limits) {
    const report = limited(members, text, list)
    if (Buffer.byteLength(JSON.stringify(report)) <= maxBytes) return report
  }
  return limited(members, 0, 0)
}

/** The text cut to `length` UTF-16 code units, with an ellipsis where it was longer. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/u, "")}…`

const limited = (members: Members, text: number, list: number): RunReport => {
  const short = (given: string): string => cut(given, text)
  const words = ({ message, parts }: Message.Worded): Message.Worded =>
    message.length > text ? { message: short(message) } : Message.wordsOf({ message, parts })
  const remark = (given: { readonly source: string } & Message.Worded): Remark =>
    new Remark({ source: short(given.source), ...words(given) }, unchecked)
  const document = (given: Document): Document =>
    new Document({ ...given, source: short(given.source), failed: given.failed && short(given.failed) }, unchecked)
  const { stopped } = members
  return new RunReport(
    {
      ...members,
      root: members.root && short(members.root),
      // A path that is cut leads nowhere.
      folder: members.folder === null || members.folder.length > text ? null : members.folder,
      sinks: members.sinks.slice(0, list).map(short),
      ...(stopped && { stopped: { tag: short(stopped.tag), ...words(stopped) } }),
      failures: members.failures
        .slice(0, most + 1)
        .map(
          ({ count, documents, retryable, tag }) =>
            new Failures(
              { tag: short(tag), count, retryable, documents: documents.slice(0, list).map(remark) },
              unchecked
            )
        ),
      unsupportedTypes: members.unsupportedTypes
        .slice(0, list)
        .map(({ count, extension }) => ({ extension: short(extension), count })),
      warnings: { count: members.warnings.count, first: members.warnings.first.slice(0, list).map(remark) },
      largest: members.largest.slice(0, list).map(document),
      slowest: members.slowest.slice(0, list).map(document),
      emptyDocuments: members.emptyDocuments.slice(0, list).map(document),
      truncatedDocuments: members.truncatedDocuments.slice(0, list).map(document),
      removedDocuments: members.removedDocuments.slice(0, list).map(short)
    },
    unchecked
  )
}
