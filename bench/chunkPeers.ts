/** Splitters of other libraries, as far as they are installed in `bench/peers`. */
import { countTokens, decode, encode } from "gpt-tokenizer/encoding/cl100k_base"
import { call, construct, load, member } from "./peerPackage.ts"

/** Splits a document into texts. */
export type Splitter = (markdown: string) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>

type Count = (text: string) => number

const texts = (value: unknown, name?: string): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map((item: unknown) => String(name === undefined ? item : member(item, name))) : []

const langchain = (library: unknown, count: Count, maxTokens: number): Splitter => {
  const options = { chunkSize: maxTokens, chunkOverlap: 0, lengthFunction: count }
  const splitter = construct(member(library, "MarkdownTextSplitter"), options)
  return async (markdown) => texts(await call(splitter, "splitText", markdown))
}

const chonkie = async (library: unknown, count: Count, maxTokens: number): Promise<Splitter> => {
  const encoded = (text: string) => encode(text, { disallowedSpecial: new Set() })
  const decodeBatch = (all: ReadonlyArray<ReadonlyArray<number>>) => all.map((tokens) => decode(tokens))
  const tokenizer = { countTokens: count, encode: encoded, decode, decodeBatch }
  const chunker = await call(member(library, "RecursiveChunker"), "create", { tokenizer, chunkSize: maxTokens })
  return async (markdown) => texts(await call(chunker, "chunk", markdown), "text")
}

const mastra =
  (library: unknown, count: Count, maxTokens: number): Splitter =>
  async (markdown) => {
    const document = call(member(library, "MDocument"), "fromMarkdown", markdown)
    const options = { strategy: "markdown", maxSize: maxTokens, overlap: 0, lengthFunction: count }
    return texts(await call(document, "chunk", options), "text")
  }

const llamaIndex = (library: unknown, maxTokens: number): Splitter => {
  const splitter = construct(member(library, "SentenceSplitter"), { chunkSize: maxTokens, chunkOverlap: 0 })
  return (markdown) => texts(call(splitter, "splitText", markdown))
}

/** Counter that is common in JavaScript. */
export const commonCount: Count = (text) => countTokens(text, { disallowedSpecial: new Set() })

/** Splitters by package name; empty when none is installed. LlamaIndex has a counter of its own. */
export const peers = async (count: Count, maxTokens: number): Promise<Readonly<Record<string, Splitter>>> => {
  const found: Record<string, Splitter> = {}
  const splitters = await load("@langchain/textsplitters")
  const chonkies = await load("@chonkiejs/core")
  const rag = await load("@mastra/rag")
  const llama = await load("llamaindex")
  if (splitters !== undefined) {
    found["@langchain/textsplitters"] = langchain(splitters, count, maxTokens)
  }
  if (chonkies !== undefined) {
    found["@chonkiejs/core"] = await chonkie(chonkies, count, maxTokens)
  }
  if (rag !== undefined) {
    found["@mastra/rag"] = mastra(rag, count, maxTokens)
  }
  if (llama !== undefined) {
    found["llamaindex"] = llamaIndex(llama, maxTokens)
  }
  return found
}
