import * as BlockChunker from "docsluice/BlockChunker"
/**
 * Splits random, mutated and adversarial documents and counts violations of the laws of a chunk.
 *
 * `node --import tsx bench/laws.ts [documents = 100000] [seed = 1]`
 */
import type { Chunked, ChunkOptions } from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import { specimen } from "docsluice/testing/Arbitraries"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Either, FastCheck } from "effect"
import { markdownDocument } from "../test/chunking/markdownDocument.ts"

const documents = Number(process.argv[2] ?? 100_000)
let state = Number(process.argv[3] ?? 1)

/** A linear congruential generator: a seed reproduces a run. */
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 4_294_967_296) * below)
}

const pick = <A>(items: readonly [A, ...ReadonlyArray<A>]): A => items[random(items.length)] ?? items[0]

const many = (most: number, make: () => string, join: string): string =>
  Array.from({ length: random(most) + 1 }, make).join(join)

const word = (): string =>
  pick<string>([
    "alpha",
    "beta",
    "Gamma.",
    "/usr/bin",
    "中文字",
    "。",
    "日本語です。",
    "ไทย",
    "é",
    "😀",
    "👨‍👩‍👧",
    "x".repeat(30),
    "12345",
    "e\u0301",
    "==",
    "`code`",
    "**b**",
    "don't",
    "//",
    "\u0085",
    "\u00a0",
    "\ufeff",
    "!",
    "(a.)",
    "http://x.y/z",
    "<|endoftext|>",
    "नमस्ते"
  ])

const sentence = (): string => many(20, word, random(10) > 0 ? " " : "")

const row = (): string => `| ${word()} | ${word()} |`

const block = (): string =>
  pick<() => string>([
    () => many(6, sentence, pick([" ", "\n", "  \n"])),
    () => `${"#".repeat(random(6) + 1)} ${word()} ${word()}`,
    () => `\`\`\`ts\n${many(30, () => pick(["  foo();", "// c", "", "}", "/x", "# no"]), "\n")}\n\`\`\``,
    () => `| a | b |\n|---|---|\n${many(30, row, "\n")}`,
    () =>
      `<table>\n<tr><th>h</th></tr>${many(30, () => `<tr><td${pick(["", " rowspan=2"])}>${word()}</td></tr>`, pick(["", "\n"]))}</table>`,
    () => many(10, () => pick(["- ", "  - ", "1. "]) + sentence(), "\n"),
    () => `> ${sentence()}\n>\n> ${sentence()}`,
    () => `Title\n${pick(["===", "---"])}`,
    () => `---\n\n<!-- page ${random(9) + 1} -->`,
    () => pick(["x", "中", "=", "😀", "é", "\u0301", "/", "7", " ", "ก", "🇩🇪"]).repeat(random(2000)),
    () => `<div>\n${sentence()}\n</div>`,
    () => "    indented\n    code",
    () => "~~~\n# not closed"
  ])()

const mutated = (text: string): string => {
  const at = random(text.length + 1)
  return random(2) === 0
    ? text.slice(0, at) + text.slice(at + random(20))
    : text.slice(0, at) + pick(["\r\n", "\n\n", "#", "`", "|", "\t", "\ud800", "> ", "- ", "\u2028"]) + text.slice(at)
}

const generated = (): ParsedDocument => {
  let markdown = many(10, block, pick(["\n\n", "\n\n", "\n"]))
  for (let times = random(4); times > 0; times--) {
    markdown = mutated(markdown)
  }
  return markdownDocument(markdown)
}

const found = { documents: 0, chunks: 0, overBudget: 0, wrongSlices: 0, miscounts: 0, disorder: 0, lost: 0, throws: 0 }

const furniture = new Set(["page_header", "page_footer", "page_number"])

const check = (
  document: ParsedDocument,
  { chunks }: Chunked,
  tokenizer: Tokenizer.Tokenizer.Service,
  { children, maxTokens }: ChunkOptions,
  dropping: boolean
): void => {
  const { markdown } = document
  let covered = ""
  let start = -1
  let end = 0
  for (const chunk of chunks) {
    found.chunks++
    found.wrongSlices += markdown.slice(chunk.start, chunk.end) === chunk.text ? 0 : 1
    found.miscounts += tokenizer.count(chunk.embedText) === chunk.tokens ? 0 : 1
    const isChild = chunk.parentId !== undefined
    found.overBudget += chunk.tokens > ((isChild ? children?.maxTokens : undefined) ?? maxTokens ?? 512) ? 1 : 0
    if (children !== undefined && !isChild) {
      continue
    }
    found.disorder += chunk.start > start && chunk.end > end ? 0 : 1
    covered += markdown.slice(end, Math.max(end, chunk.start))
    start = chunk.start
    end = chunk.end
  }
  covered += markdown.slice(end)
  const dropped = dropping
    ? (document.blocks ?? []).flatMap(({ items }) => items).filter(({ type }) => furniture.has(type))
    : []
  let rest = covered.replace(/---\s+<!-- page \d+ -->/g, "")
  for (const { content } of dropped) {
    rest = rest.replace(content, "")
  }
  found.lost += rest.trim() === "" ? 0 : 1
}

const run = Effect.gen(function* () {
  const tokenizers = yield* Effect.forEach(["cl100k_base", "o200k_base", "chars"] as const, (name) =>
    Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer(name))
  )
  const specimens = FastCheck.sample(specimen, { numRuns: Math.min(2000, documents), seed: state })
  for (let index = 0; index < documents; index++) {
    const document =
      index % 10 === 0 ? (specimens[(index / 10) % specimens.length]?.document ?? generated()) : generated()
    const tokenizer = tokenizers[index % tokenizers.length] ?? tokenizers[0]
    const maxTokens = pick([12, 40, 100, 512])
    const options: ChunkOptions =
      random(4) === 0
        ? {
            maxTokens,
            children: { maxTokens: Math.max(12, maxTokens >> (1 + random(3))) }
          }
        : { maxTokens, overlapTokens: random(2) * (maxTokens >> 2), minTokens: random(2) * 8 }
    const chunker = pick([BlockChunker, MarkdownChunker, PageChunker]).make(options)
    const chunked = yield* chunker
      .chunk(document)
      .pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer ?? absent), Effect.either)
    found.documents++
    if (Either.isLeft(chunked)) {
      found.throws += chunked.left.reason === "Failed" ? 1 : 0
    } else {
      check(document, chunked.right, tokenizer ?? absent, options, chunker.name === "blocks")
    }
  }
  console.log(
    JSON.stringify({ bench: "laws", ours: found, peers: {}, machine: `${process.arch} node ${process.version}` })
  )
})

const absent = Tokenizer.make("absent", (text) => text.length)

Effect.runPromise(run)
