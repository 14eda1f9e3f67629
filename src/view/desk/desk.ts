/** The documents on the page: one after another is sent, parsed and split; each is kept until it is removed. */
import type { Chunked, ChunkRequest, Parsed, Progress, Received } from "../../internal/look/messages.ts"
import type { Calls, Outcome, Trouble } from "./calls.ts"
import { type Choices, equal, type ParseChoice, parseOptions, problem } from "./choices.ts"
import { Store } from "./store.ts"

export type Stage =
  | { readonly step: "waiting" }
  | { readonly step: "sending"; readonly share: number; readonly since: number }
  | { readonly step: "parsing"; readonly since: number; readonly pages: Progress | null }
  | { readonly step: "ready" }
  | { readonly step: "failed"; readonly trouble: Trouble }

export interface Entry {
  readonly key: number
  readonly name: string
  readonly bytes: number
  /** Null for a sample, and for one that was given at the start: the server has them. */
  readonly file: File | null
  readonly stage: Stage
  readonly received: Received | null
  readonly parsed: Parsed | null
  /** Options that `parsed` was asked with. */
  readonly parsedWith: ParseChoice | null
  readonly chunked: Chunked | null
  readonly chunkedWith: ChunkRequest | null
  readonly chunkTrouble: Trouble | null
}

export interface DeskState {
  readonly entries: ReadonlyArray<Entry>
  /** Key of the entry that is shown. */
  readonly shown: number | null
  readonly choices: Choices
  /** True while a key is wanted: a call was answered with 401. */
  readonly locked: boolean
  /** Last event, for a screen reader. */
  readonly said: string
}

/** Time in milliseconds that an option has to rest before documents are split again. */
const rest = 150

/** Milliseconds between two questions how far a parse is. */
const between = 500

/** Milliseconds that a parse may take, the most that the service allows: a visitor sees the time and can cancel. */
const longest = 300_000

export class Desk extends Store<DeskState> {
  readonly calls: Calls
  #next = 1
  #running: number | null = null
  #abort = new AbortController()
  #splitting = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(calls: Calls, choices: Choices) {
    super({ entries: [], shown: null, choices, locked: false, said: "" })
    this.calls = calls
  }

  get shown(): Entry | null {
    return this.state.entries.find(({ key }) => key === this.state.shown) ?? null
  }

  drop(files: ReadonlyArray<File>): void {
    this.#add(files.map((file) => ({ name: file.name, bytes: file.size, file, received: null })))
  }

  sample(sample: { readonly name: string; readonly bytes: number }): void {
    this.#add([{ name: sample.name, bytes: sample.bytes, file: null, received: null }])
  }

  /** Documents that the server holds already. */
  open(documents: ReadonlyArray<Received>): void {
    this.#add(documents.map((received) => ({ name: received.name, bytes: received.bytes, file: null, received })))
  }

  show(key: number): void {
    this.set({ ...this.state, shown: key })
    const entry = this.shown
    if (entry !== null && entry.parsed !== null && !equal(entry.chunkedWith, this.state.choices.chunks)) {
      void this.#split(entry)
    }
  }

  remove(key: number): void {
    const at = this.state.entries.findIndex((entry) => entry.key === key)
    const entry = this.state.entries[at]
    if (entry === undefined) return
    if (this.#running === key) this.#abort.abort()
    if (entry.received !== null && entry.received.until !== null) void this.calls.remove(entry.received.id)
    const entries = this.state.entries.filter((other) => other !== entry)
    const shown = this.state.shown === key ? ((entries[at] ?? entries.at(-1))?.key ?? null) : this.state.shown
    this.set({ ...this.state, entries, shown, said: `${entry.name} removed` })
    if (shown !== null) this.show(shown)
  }

  cancel(key: number): void {
    if (this.#running === key) this.#abort.abort()
  }

  /** Sends the file again where the server no longer has it, and parses it with the options as they are set. */
  again(key: number): void {
    const entry = this.#entry(key)
    if (entry === undefined) return
    const given = entry.received?.until === null
    const gone = !given && entry.stage.step === "failed" && entry.stage.trouble.status === 404
    this.#change(key, {
      stage: { step: "waiting" },
      parsed: null,
      chunked: null,
      chunkedWith: null,
      ...(gone && { received: null })
    })
    void this.#work()
  }

  choose(choices: Choices): void {
    const split = !equal(choices.chunks, this.state.choices.chunks)
    this.set({ ...this.state, choices })
    if (!split) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const entry = this.shown
      if (entry !== null && entry.parsed !== null) void this.#split(entry)
    }, rest)
  }

  /** A call was answered with 401: a key is wanted. */
  lock(): void {
    this.set({ ...this.state, locked: true })
  }

  unlock(key: string): void {
    this.calls.key = key
    this.set({ ...this.state, locked: false })
    for (const { key, stage } of this.state.entries) {
      if (stage.step === "failed" && stage.trouble.status === 401) this.again(key)
    }
  }

  #add(files: ReadonlyArray<Pick<Entry, "name" | "bytes" | "file" | "received">>): void {
    if (files.length === 0) return
    const added = files.map((file): Entry => ({
      ...file,
      key: this.#next++,
      stage: { step: "waiting" },
      parsed: null,
      parsedWith: null,
      chunked: null,
      chunkedWith: null,
      chunkTrouble: null
    }))
    const shown = added[0]?.key ?? this.state.shown
    this.set({ ...this.state, entries: [...this.state.entries, ...added], shown })
    void this.#work()
  }

  #entry(key: number): Entry | undefined {
    return this.state.entries.find((entry) => entry.key === key)
  }

  #change(key: number, change: Partial<Entry>, said: string = this.state.said): void {
    const entries = this.state.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry))
    this.set({ ...this.state, entries, said })
  }

  /** Works on one document at a time, the one that is shown first. */
  async #work(): Promise<void> {
    if (this.#running !== null) return
    const waiting = this.state.entries.filter(({ stage }) => stage.step === "waiting")
    const entry = waiting.find(({ key }) => key === this.state.shown) ?? waiting[0]
    if (entry === undefined) return
    this.#running = entry.key
    this.#abort = new AbortController()
    await this.#take(entry, this.#abort.signal)
    this.#running = null
    void this.#work()
  }

  async #take(entry: Entry, signal: AbortSignal): Promise<void> {
    const { key, name } = entry
    const received = entry.received ?? this.#kept(key, await this.#send(entry, signal))
    if (received === null) return
    const choice = this.state.choices.parse
    const since = Date.now()
    this.#change(key, { received, stage: { step: "parsing", since, pages: null } }, `${name} is being parsed`)
    const options = { ...parseOptions(choice), timeout: longest }
    const ended = new AbortController()
    void this.#follow(key, received.id, since, ended.signal)
    const outcome = await this.calls.parse(received.id, { options }, signal)
    ended.abort()
    const parsed = this.#kept(key, outcome)
    if (parsed === null) return
    this.#change(key, { parsed, parsedWith: choice, stage: { step: "ready" } }, `${name} is parsed`)
    const ready = this.#entry(key)
    if (ready !== undefined) await this.#split(ready)
  }

  /** Asks how far a parse is until it has ended; a refusal is none of the visitor's. */
  async #follow(key: number, id: string, since: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- one question after another
      await new Promise((resolve) => setTimeout(resolve, between))
      if (signal.aborted) return
      const outcome = await this.calls.progress(id, signal)
      // oxlint-enable no-await-in-loop
      if (signal.aborted || !outcome.ok) return
      if (outcome.value !== null) this.#change(key, { stage: { step: "parsing", since, pages: outcome.value } })
    }
  }

  #send(entry: Entry, signal: AbortSignal): Promise<Outcome<Received>> {
    const { file, key, name } = entry
    const since = Date.now()
    this.#change(key, { stage: { step: "sending", share: 0, since } }, `${name} is being sent`)
    const onShare = (share: number) => this.#change(key, { stage: { step: "sending", share, since } })
    return file === null ? this.calls.sample(name, signal) : this.calls.upload(file, { onShare, signal })
  }

  #kept<A>(key: number, outcome: Outcome<A>): A | null {
    if (outcome.ok) return outcome.value
    const { trouble } = outcome
    this.#change(key, { stage: { step: "failed", trouble } }, `${trouble.tag}: ${trouble.message}`)
    if (trouble.status === 401) this.set({ ...this.state, locked: true })
    return null
  }

  async #split({ key, received }: Entry): Promise<void> {
    const request = this.state.choices.chunks
    if (received === null || problem(request) !== null) return
    this.#splitting.abort()
    const { signal } = (this.#splitting = new AbortController())
    const outcome = await this.calls.chunks(received.id, request, signal)
    if (signal.aborted) return
    if (outcome.ok) {
      const said = `${outcome.value.chunks.length} chunks`
      this.#change(key, { chunked: outcome.value, chunkedWith: request, chunkTrouble: null }, said)
    } else {
      this.#change(key, { chunkTrouble: outcome.trouble }, outcome.trouble.message)
      if (outcome.trouble.status === 401) this.set({ ...this.state, locked: true })
    }
  }
}
