/** Members of the options of the promise interface, next to those of a corpus. */
import * as Rules from "../base/rules.ts"
import { checkedLater, corpus, ingest as once, type Members, root, run } from "../corpus/members.ts"
import type { ChunksOptions, IngestOptions, OpenOptions, RootOptions, ServiceOptions } from "./options.ts"

const { apiKey, chunker, embedder, model, parseOptions, service, tokenizer } = corpus

const serving: Members<ServiceOptions> = {
  service,
  apiKey,
  parseOptions,
  model,
  tokenizer,
  dispatcher: checkedLater,
  layer: checkedLater,
  readers: checkedLater,
  logger: checkedLater,
  signal: checkedLater
}

/** Files of a program, or a root. */
const source = { ...root, files: checkedLater, partial: Rules.boolean }

export const open: Members<OpenOptions> = { ...corpus, ...serving }

export const discover: Members<RootOptions & Pick<ServiceOptions, "logger" | "readers" | "signal">> = {
  ...root,
  logger: checkedLater,
  readers: checkedLater,
  signal: checkedLater
}

export const chunks: Members<ChunksOptions> = {
  ...serving,
  ...source,
  chunker,
  embedder,
  concurrency: checkedLater,
  onFailure: checkedLater
}

export const ingest: Members<IngestOptions> = {
  ...serving,
  ...source,
  ...run,
  chunker,
  embedder,
  sinks: checkedLater,
  ordered: once.ordered,
  state: checkedLater,
  deadLetters: Rules.string,
  onFailure: once.onFailure,
  onProgress: checkedLater,
  stop: checkedLater
}
