/** Programs and commands that do the same to a file as the page, with the options that are set. */
import type { ChunkRequest } from "../../internal/look/messages.ts"
import { defaults, type ParseChoice, parseOptions } from "../desk/choices.ts"

export interface Wish {
  /** Name of the file. */
  readonly name: string
  readonly parse: ParseChoice
  readonly chunks: ChunkRequest
  /** Address of the server that shows the page. */
  readonly origin: string
  /** True when calls need a key. */
  readonly keyed: boolean
  /** True for a text, which is read where the program runs: no option of a parse concerns it. */
  readonly text: boolean
}

/** JavaScript of a value of JSON: members without quotes where they need none. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, inner]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)}: ${literal(inner)}`
    )
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
  }
  return JSON.stringify(value)
}

/** A word for a POSIX shell. */
export const quoted = (text: string): string =>
  /^[\w./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A file's name as a path: one that begins with `-` is no flag. */
const pathOf = (name: string): string => (name.startsWith("-") || name.startsWith("@") ? `./${name}` : name)

const chunkerModules = {
  auto: "AutoChunker",
  blocks: "BlockChunker",
  markdown: "MarkdownChunker",
  pages: "PageChunker"
} as const

const chunkOptions = ({ maxTokens, minTokens, overlap }: ChunkRequest): string =>
  literal({ maxTokens, ...(overlap > 0 && { overlapTokens: overlap }), ...(minTokens > 0 && { minTokens }) })

const tokenizers: Readonly<Record<string, string>> = {
  o200k_base: "Tokenizer.layerO200k",
  cl100k_base: "Tokenizer.layerCl100k",
  chars: "Tokenizer.layerCharacters"
}

/** An import of a module of this package. */
const own = (name: string, path: string = name): string => `import * as ${name} from "docsluice/${path}"`

export const withEffect = ({ chunks, name, parse, text }: Wish): string => {
  const chunker = chunkerModules[chunks.chunker]
  return [
    'import { NodeRuntime } from "@effect/platform-node"',
    own(chunker),
    own("Discovery"),
    own("Parser"),
    ...(text ? [] : [own("Embedded", "service/Embedded")]),
    own("Tokenizer"),
    'import { Console, Effect, Layer } from "effect"',
    "",
    `const chunker = ${chunker}.make(${chunkOptions(chunks)})`,
    "",
    "const program = Effect.gen(function* () {",
    `  const file = yield* Discovery.file(${JSON.stringify(pathOf(name))})`,
    "  const document = yield* Parser.parse(file)",
    "  const { chunks } = yield* chunker.chunk(document)",
    "  for (const chunk of chunks) yield* Console.log(chunk.tokens, chunk.pages, chunk.text)",
    "})",
    "",
    text
      ? "const parser = Layer.succeed(Parser.Parser, Parser.texts())"
      : `const parser = Layer.provide(Parser.layer(${literal(parseOptions(parse))}), Embedded.layer())`,
    "",
    "NodeRuntime.runMain(",
    "  program.pipe(",
    "    Effect.provide(parser),",
    `    Effect.provide(${tokenizers[chunks.tokenizer] ?? "Tokenizer.layerO200k"})`,
    "  )",
    ")",
    ""
  ].join("\n")
}

export const plainAsync = ({ chunks, name, parse, text }: Wish): string => {
  const chunker = chunkerModules[chunks.chunker]
  return [
    own("Async"),
    own(chunker),
    'import { readFile } from "node:fs/promises"',
    "",
    "const chunks = Async.chunks({",
    '  name: "files",',
    `  files: [{ path: ${JSON.stringify(name)}, content: await readFile(${JSON.stringify(name)}) }],`,
    ...(text ? [] : [`  parseOptions: ${literal(parseOptions(parse))},`]),
    `  chunker: ${chunker}.make(${chunkOptions(chunks)}),`,
    `  tokenizer: ${JSON.stringify(chunks.tokenizer)}`,
    "})",
    "",
    "for await (const chunk of chunks) console.log(chunk.tokens, chunk.pages, chunk.text)",
    ""
  ].join("\n")
}

/** The words of the command. */
export const commandWords = ({ chunks, name, parse, text }: Wish): ReadonlyArray<string> => {
  const { chunker, maxTokens, minTokens, overlap, tokenizer } = chunks
  const given = parseOptions(parse)
  const plain = parseOptions(defaults.parse)
  return [
    "docsluice",
    "chunks",
    pathOf(name),
    ...(chunker === defaults.chunks.chunker ? [] : ["--chunker", chunker]),
    "--max-tokens",
    `${maxTokens}`,
    ...(overlap === 0 ? [] : ["--overlap", `${overlap}`]),
    ...(minTokens === 0 ? [] : ["--min-tokens", `${minTokens}`]),
    ...(tokenizer === defaults.chunks.tokenizer ? [] : ["--tokenizer", tokenizer]),
    ...(text || JSON.stringify(given) === JSON.stringify(plain) ? [] : ["--parse-options", JSON.stringify(given)])
  ]
}

export const command = (wish: Wish): string => {
  const words = commandWords(wish).map(quoted)
  return `${words.join(" ")}\n\n# the same as a web page, with the chunks on their pages:\n${words.join(" ")} --html chunks.html\n`
}

/** The parse alone: the service's interface has no chunks. */
export const curl = ({ keyed, name, origin, parse }: Wish): string => {
  // A file's name within a form: curl reads `;` and `,` of it as its own unless it is in quotes.
  const file = `file=@"${pathOf(name).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
  return [
    `curl ${origin}/v2/parse`,
    ...(keyed ? [`  -H "Authorization: Bearer $DOCSLUICE_API_KEY"`] : []),
    `  -F '${file.replaceAll("'", `'\\''`)}'`,
    `  -F ${quoted(`options=${JSON.stringify(parseOptions(parse))};type=application/json`)}\n`
  ].join(" \\\n")
}
