// Counts tokens as tiktoken does, or says where not: texts made up, and those of a folder of text files if one is given.
//
//   npm run bench -- tokenizers [TEXTS = 100000] [SEED = 1] [FOLDER]
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Tokenizer from "docsluice/Tokenizer"
import * as Effect from "effect/Effect"
import { get_encoding } from "tiktoken"
import * as Strings from "../test/bpe/strings.ts"

const texts = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? 1)
const folder = process.argv[4]

const shown = 5

const compare = (name: "o200k_base" | "cl100k_base") =>
  Effect.gen(function* () {
    const tokenizer = yield* Tokenizer.Tokenizer
    const tiktoken = yield* Effect.acquireRelease(
      Effect.sync(() => get_encoding(name)),
      (encoding) => Effect.sync(() => encoding.free())
    )
    const examples: Array<string> = []
    const found = { name, texts: 0, characters: 0, differences: 0, examples }
    const check = (text: string): void => {
      found.texts++
      found.characters += text.length
      const [ours, theirs] = [tokenizer.count(text), tiktoken.encode_ordinary(text).length]
      if (ours === theirs) return
      found.differences++
      if (examples.length < shown) examples.push(`${JSON.stringify(text.slice(0, 200))}: ${ours}, ${theirs}`)
    }
    const next = Strings.make(seed)
    for (let index = 0; index < texts; index++) check(next())
    for (const file of folder === undefined ? [] : readdirSync(folder))
      check(readFileSync(join(folder ?? "", file), "utf8"))
    return found
  }).pipe(Effect.scoped, Effect.provide(Tokenizer.layer(name)))

const ours = await Effect.runPromise(Effect.forEach(["o200k_base", "cl100k_base"] as const, compare))
console.log(
  JSON.stringify({ bench: "tokenizers", ours, peers: {}, machine: `${process.arch} node ${process.version}` })
)
