/** Rounds over the same documents in turns: a server, this package in process, and peers alone in processes of their own. */
import { fork } from "node:child_process"
import * as SpeedServer from "./speedServer.ts"

/** Reads a document; returns its pages, 1 where it has none, and the characters of its text. A document that cannot be read has none of either. */
export type Parse = (bytes: Uint8Array) => Promise<readonly [pages: number, characters: number]>

/** Work of a process that {@link alone} has started: it reads the documents whose names a message lists. */
export const perform = (parse: Parse, documents: ReadonlyArray<SpeedServer.Document>): void => {
  process.on("message", (names: ReadonlyArray<string>) => {
    const run = async (): Promise<void> => {
      let pages = 0
      let characters = 0
      const cpu = process.cpuUsage()
      const begun = performance.now()
      for (const name of names) {
        const document = documents.find((each) => each.name === name)
        if (document === undefined) throw new Error(`no document ${name}`)
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const [some, text] = await parse(document.bytes)
        pages += some
        characters += text
      }
      const wallMs = performance.now() - begun
      const { system, user } = process.cpuUsage(cpu)
      process.send?.({ wallMs, cpuMs: (user + system) / 1000, pages, characters } satisfies SpeedServer.Round)
    }
    void run()
  })
}

export interface Contender {
  readonly name: string
  readonly round: (documents: ReadonlyArray<SpeedServer.Document>) => Promise<SpeedServer.Round>
  readonly stop: () => Promise<void>
}

/** A process that has to call {@link perform}. */
export const alone = (name: string, entry: string, args: ReadonlyArray<string>): Contender => {
  const child = fork(entry, args, { execArgv: ["--no-warnings"] })
  return {
    name,
    round: (documents) =>
      new Promise((resolve) => {
        child.once("message", (message: SpeedServer.Round) => resolve(message))
        child.send(documents.map((document) => document.name))
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.kill()
      })
  }
}

/** A server that gets that many requests at a time. */
export const served = async (name: string, concurrency: number, dist?: string): Promise<Contender> => {
  const server = await SpeedServer.start(dist)
  return { name, round: (documents) => server.round(documents, concurrency), stop: server.stop }
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

export const rounded = (value: number): number => Math.round(value * 100) / 100

export interface Figures {
  readonly pages: number
  readonly firstWallMsPerPage: number
  readonly wallMsPerPage: number
  readonly cpuMsPerPage: number
  /** CPU time over wall time: cores in use. */
  readonly cores: number
}

const figures = ([first, ...later]: ReadonlyArray<SpeedServer.Round>): Figures => {
  const pages = Math.max(1, first?.pages ?? 1)
  const wallMs = median(later.map((round) => round.wallMs))
  const cpuMs = median(later.map((round) => round.cpuMs))
  return {
    pages: first?.pages ?? 0,
    firstWallMsPerPage: rounded((first?.wallMs ?? 0) / pages),
    wallMsPerPage: rounded(wallMs / pages),
    cpuMsPerPage: rounded(cpuMs / pages),
    cores: rounded(cpuMs / wallMs)
  }
}

export type Measured = Readonly<Record<string, Figures>>

/** Rounds in turns; the first of each, in which code is compiled, is told apart. */
export const race = async (
  contenders: ReadonlyArray<Contender>,
  documents: ReadonlyArray<SpeedServer.Document>,
  rounds: number
): Promise<Measured> => {
  const all = new Map(contenders.map(({ name }) => [name, new Array<SpeedServer.Round>()]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, round: run } of contenders) {
      // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
      all.get(name)?.push(await run(documents))
    }
  }
  return Object.fromEntries([...all].map(([name, own]) => [name, figures(own)]))
}

/** Pages a second of `own` over those of each peer, by wall and by CPU time. */
export const ratios = (measured: Measured, own: string, peers: ReadonlyArray<string>) =>
  Object.fromEntries(
    peers.map((name) => {
      const wall = (measured[name]?.wallMsPerPage ?? 0) / (measured[own]?.wallMsPerPage ?? 1)
      const cpu = (measured[name]?.cpuMsPerPage ?? 0) / (measured[own]?.cpuMsPerPage ?? 1)
      return [name, { wall: rounded(wall), cpu: rounded(cpu) }]
    })
  )
