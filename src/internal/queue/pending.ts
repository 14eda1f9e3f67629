import type { SourceFile } from "../../SourceFile.ts"
import { canonicalJson } from "../base/canonicalJson.ts"
import { sha256 } from "../base/sha256.ts"
import type { Compared } from "../run/compare.ts"
import { encodeTask, Task, version } from "./message.ts"

/** A document on its way. */
export interface Sent {
  readonly item: Compared
  readonly file: SourceFile
  readonly data: unknown
  /** True once the server has the job. */
  added: boolean
}

/** The documents of a run that were sent and have no result yet, at most as many as the coordinator sends ahead; about 0.6 KB each. */
export class Pending {
  private readonly sent = new Map<string, Sent>()
  readonly run: string
  private readonly digest: string

  /** `digest`: of what the run expects, so that a job of other settings is another job. */
  constructor(run: string, digest: string) {
    this.run = run
    this.digest = digest
  }

  get size(): number {
    return this.sent.size
  }

  /** The job of a file. Its id is the same for the same file in the same state, whoever sends it. */
  readonly add = (item: Compared, file: SourceFile): string => {
    const task = new Task(
      {
        v: version,
        run: this.run,
        path: file.path,
        size: file.size,
        fingerprint: file.fingerprint ?? null,
        known: item.standing !== "new"
      },
      { disableValidation: true }
    )
    const data = encodeTask(task)
    const { path, size, fingerprint } = data
    const digest = sha256(canonicalJson({ digest: this.digest, path, size, fingerprint })).slice(0, 32)
    let id = `d${digest}`
    // Files of a source may be in different roots, with one path in two of them.
    for (let copy = 2; this.sent.has(id); copy += 1) id = `d${digest}-${copy}`
    this.sent.set(id, { item, file, data, added: false })
    return id
  }

  readonly jobs = (ids: ReadonlyArray<string>): ReadonlyArray<{ readonly id: string; readonly data: unknown }> =>
    ids.flatMap((id) => {
      const sent = this.sent.get(id)
      return sent === undefined ? [] : [{ id, data: sent.data }]
    })

  readonly confirm = (ids: ReadonlyArray<string>): void => {
    for (const id of ids) {
      const sent = this.sent.get(id)
      if (sent !== undefined) sent.added = true
    }
  }

  /** The document of a job; undefined for a job of an earlier run. */
  readonly sentAs = (id: string): Sent | undefined => this.sent.get(id)

  /** The document is no longer on its way. */
  readonly end = (id: string): void => {
    this.sent.delete(id)
  }

  /** Ids of jobs that the server was given. */
  readonly ids = (): ReadonlyArray<string> => [...this.sent].flatMap(([id, { added }]) => (added ? [id] : []))

  /** All documents that are still on their way and whose jobs are not among these; they are no longer on their way. */
  readonly takeOthers = (jobs: ReadonlySet<string>): ReadonlyArray<Sent> =>
    [...this.sent].flatMap(([id, sent]) => {
      if (jobs.has(id)) return []
      this.sent.delete(id)
      return [sent]
    })
}
