/** The flags of a run, shared by `ingest`, `plan` and `watch`. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as flags from "./flags.ts"

const own = {
  root: flags.root,
  name: flags.name,
  newRoot: flags.newRoot,
  ignore: flags.ignore,
  gitignore: flags.gitignore,
  filesFrom: flags.filesFrom,
  types: flags.types,
  endpoint: flags.endpoint,
  allowPrivate: flags.allowPrivate,
  to: flags.to,
  embedder: flags.embedder,
  service: flags.service,
  apiKey: flags.apiKey,
  ocrLanguages: flags.ocrLanguages,
  parseOptions: flags.parseOptions,
  chunker: flags.chunker,
  maxTokens: flags.maxTokens,
  overlap: flags.overlap,
  minTokens: flags.minTokens,
  pageBoundaries: flags.pageBoundaries,
  metadata: flags.metadata,
  tokenizer: flags.tokenizer,
  state: flags.state,
  noState: flags.noState,
  mode: flags.mode,
  allowRemovals: flags.allowRemovals,
  verify: flags.verify,
  refresh: flags.refresh,
  rebuild: flags.rebuild,
  shared: flags.shared,
  adopt: flags.adopt,
  budgetPages: flags.budgetPages,
  budgetCredits: flags.budgetCredits,
  concurrency: flags.concurrency,
  outageLimit: flags.outageLimit,
  maxBytesInFlight: flags.maxBytesInFlight,
  ordered: flags.ordered,
  onFailure: flags.onFailure,
  progress: flags.progress,
  json: flags.json,
  quiet: flags.quiet
} as const

export const config = {
  paths: Args.text({ name: "path" }).pipe(
    Args.withDescription(
      "file, folder or pattern, relative to the root; or s3://BUCKET/PATTERN, az://CONTAINER/PATTERN, sitemap:URL, list:URL, list:FILE, zip:FILE, tar:FILE; a pattern follows these after !/"
    ),
    Args.repeated
  ),
  root: own.root.options,
  name: own.name.options,
  newRoot: own.newRoot.options,
  ignore: own.ignore.options,
  gitignore: own.gitignore.options,
  filesFrom: own.filesFrom.options,
  types: own.types.options,
  endpoint: own.endpoint.options,
  allowPrivate: own.allowPrivate.options,
  to: own.to.options,
  embedder: own.embedder.options,
  service: own.service.options,
  apiKey: own.apiKey.options,
  ocrLanguages: own.ocrLanguages.options,
  parseOptions: own.parseOptions.options,
  chunker: own.chunker.options,
  maxTokens: own.maxTokens.options,
  overlap: own.overlap.options,
  minTokens: own.minTokens.options,
  pageBoundaries: own.pageBoundaries.options,
  metadata: own.metadata.options,
  tokenizer: own.tokenizer.options,
  state: own.state.options,
  noState: own.noState.options,
  mode: own.mode.options,
  allowRemovals: own.allowRemovals.options,
  verify: own.verify.options,
  refresh: own.refresh.options,
  rebuild: own.rebuild.options,
  shared: own.shared.options,
  adopt: own.adopt.options,
  budgetPages: own.budgetPages.options,
  budgetCredits: own.budgetCredits.options,
  concurrency: own.concurrency.options,
  outageLimit: own.outageLimit.options,
  maxBytesInFlight: own.maxBytesInFlight.options,
  ordered: own.ordered.options,
  onFailure: own.onFailure.options,
  progress: own.progress.options,
  json: own.json.options,
  quiet: own.quiet.options
}

/** Parsed values of all run flags. */
export type RunFlags = Command.Command.ParseConfig<typeof config>

export const spellings = Object.values(own)
