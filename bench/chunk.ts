import * as fs from "node:fs"
import * as path from "node:path"
/**
 * Speed of splitting a folder of Markdown, share of text that is counted twice, and number of fences and tables that fit a chunk but were
 * cut.
 *
 * `node --import tsx bench/chunk.ts FOLDER [maxTokens = 512] [rounds with the peers = 3]`
 */
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { markdownDocument } from "../test/chunking/markdownDocument.ts"
import { metered } from "../test/chunking/metered.ts"
import { commonCount, peers, type Splitter } from "./chunkPeers.ts"

const folder = process.argv[2] ?? "."
const maxTokens = Number(process.argv[3] ?? 512)
const rounds = 5
const peerRounds = Number(process.argv[4] ?? 3)

const texts: ReadonlyArray<string> = fs
  .readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => fs.readFileSync(path.join(folder, name), "utf8"))
  .filter((text) => text.trim() !== "")

const characters = texts.reduce((sum, text) => sum + text.length, 0)

interface Fitting {
  readonly document: number
  readonly text: string
}

interface Node {
  readonly type: string
  readonly children?: ReadonlyArray<unknown>
  readonly position?:
    | {
        readonly start: { readonly offset?: number | undefined }
        readonly end: { readonly offset?: number | undefined }
      }
    | undefined
}

/** Fences and tables at the top level that are within the budget, according to an independent parser. */
const fitting = (tokenizer: Tokenizer.Tokenizer.Service): ReadonlyArray<Fitting> =>
  texts.flatMap((text, document) =>
    fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
      .children.filter(({ type }) => type === "code" || type === "table")
      .map((node: Node) => ({
        document,
        text: text.slice(node.position?.start.offset, node.position?.end.offset).trimEnd()
      }))
      .filter((block) => /^(?:`|~|.*\|)/.test(block.text) && tokenizer.count(block.text) <= maxTokens)
  )

/** CPU time of a run in microseconds, garbage collection included. */
const cpu = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const before = process.cpuUsage()
    return Effect.map(run, () => {
      const { user, system } = process.cpuUsage(before)
      return user + system
    })
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

const chunked = (most: number) => {
  const chunker = MarkdownChunker.make({ maxTokens: most })
  return (markdown: string) =>
    chunker.chunk(markdownDocument(markdown)).pipe(Effect.map(({ chunks }) => chunks.map(({ text }) => text)))
}

const ours = (tokenizer: Tokenizer.Tokenizer.Service, most: number): Splitter => {
  const split = chunked(most)
  return (markdown) => Effect.runSync(Effect.provideService(split(markdown), Tokenizer.Tokenizer, tokenizer))
}

/** Characters per turn: the splitters alternate over the texts, so that other load on the machine affects all alike. */
const turn = 100_000

const turns = (): ReadonlyArray<ReadonlyArray<string>> => {
  const all: Array<Array<string>> = [[]]
  let length = 0
  for (const text of texts) {
    if (length > turn) {
      all.push([])
      length = 0
    }
    all.at(-1)?.push(text)
    length += text.length
  }
  return all
}

/** Characters sent to the tokenizer per character of the source. */
const work = (tokenizer: Tokenizer.Tokenizer.Service, most: number): number => {
  const { counted, work: sent } = metered(tokenizer)
  const split = ours(counted, most)
  texts.forEach((text) => split(text))
  return sent.characters / characters
}

/** A peer that may throw; documents that it throws on are left out. */
const guarded =
  (split: Splitter, failed: () => void): Splitter =>
  async (markdown) => {
    try {
      return await split(markdown)
    } catch {
      failed()
      return []
    }
  }

const splitAll = (
  split: Splitter,
  group: ReadonlyArray<string> = texts
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> =>
  Effect.forEach(group, (text) => {
    const chunks = split(text)
    return chunks instanceof Promise ? Effect.promise(() => chunks) : Effect.succeed(chunks)
  })

const cutBlocks = (split: Splitter, blocks: ReadonlyArray<Fitting>): Effect.Effect<number> =>
  Effect.map(
    splitAll(split),
    (all) =>
      blocks.filter(
        ({ document, text }) =>
          all[document]?.length !== 0 && all[document]?.every((chunk) => !chunk.includes(text)) === true
      ).length
  )

const walkLines = (group: ReadonlyArray<string>): number => {
  let lines = 0
  for (const text of group) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      lines++
    }
  }
  return lines
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const measure = Effect.fnUntraced(function* (name: Tokenizer.Name) {
  const tokenizer = yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer(name))
  const most = name === "chars" ? maxTokens * 4 : maxTokens
  const split = chunked(most)
  const repeat = name === "chars" ? 20 : 1
  const raw =
    name === "chars" ? walkLines : (group: ReadonlyArray<string>) => sum(group.map((text) => tokenizer.count(text)))
  const samples: Array<readonly [number, number]> = []
  for (let round = 0; round < rounds + 3; round++) {
    const taken = yield* Effect.forEach(turns(), (group) =>
      Effect.all([
        cpu(Effect.sync(() => Array.from({ length: repeat }, () => raw(group)))),
        cpu(Effect.forEach(group, split))
      ])
    ).pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer))
    samples.push([sum(taken.map(([bare]) => bare)) / repeat, sum(taken.map(([, own]) => own))])
  }
  const settled = samples.slice(3)
  return {
    megabytesPerSecond: characters / median(settled.map(([, chunked]) => chunked)),
    rawMegabytesPerSecond: characters / median(settled.map(([bare]) => bare)),
    ratio: median(settled.map(([bare, chunked]) => bare / chunked)),
    work: work(tokenizer, most)
  }
})

/**
 * Each round runs all peers and our splitter in turns, after a first round that is not counted; `timesAsFast` is the median over the
 * rounds of the peer's time divided by ours. Documents that a peer throws on are left out of its blocks.
 */
const measurePeers = Effect.fnUntraced(function* (count: (text: string) => number) {
  const tokenizer = yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerCl100k)
  const blocks = fitting(tokenizer)
  const split = ours(tokenizer, maxTokens)
  const found = Object.entries(yield* Effect.promise(() => peers(count, maxTokens)))
  // it has a counter of its own and takes longer than all others together
  const all = found.filter(([name]) => count === commonCount || name !== "llamaindex")
  const splitters = [split, ...all.map(([, peer]) => guarded(peer, () => {}))]
  const samples: Array<ReadonlyArray<number>> = []
  for (let round = 0; round <= peerRounds; round++) {
    const taken = yield* Effect.forEach(turns(), (group) =>
      Effect.forEach(splitters, (splitter) => cpu(splitAll(splitter, group)))
    )
    samples.push(splitters.map((_, index) => sum(taken.map((turned) => turned[index] ?? 0))))
  }
  const settled = samples.slice(1)
  const measured: Record<string, unknown> = {}
  for (const [index, [name, peer]] of all.entries()) {
    const taken = settled.map((round) => round[index + 1] ?? 0)
    let throws = 0
    const blocksCut = yield* cutBlocks(
      guarded(peer, () => throws++),
      blocks
    )
    measured[name] = {
      megabytesPerSecond: characters / median(taken),
      timesAsFast: median(settled.map(([own = 0, ...others]) => (others[index] ?? 0) / own)),
      blocksCut,
      throws
    }
  }
  return { blocksThatFit: blocks.length, ours: { blocksCut: yield* cutBlocks(split, blocks) }, ...measured }
})

const main = Effect.gen(function* () {
  const measured = {
    cl100k_base: yield* measure("cl100k_base"),
    o200k_base: yield* measure("o200k_base"),
    chars: yield* measure("chars")
  }
  const { count } = yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerCl100k)
  const measuredPeers = { commonCounter: yield* measurePeers(commonCount), ourCounter: yield* measurePeers(count) }
  const machine = `${process.arch} node ${process.version}`
  console.log(JSON.stringify({ bench: "chunk", characters, maxTokens, ours: measured, peers: measuredPeers, machine }))
})

Effect.runPromise(main)
