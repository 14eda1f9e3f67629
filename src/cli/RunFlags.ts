/** The flags of a run, shared by `ingest`, `plan` and `watch`. */
import * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import { chunking } from "./flags/documents.ts"

/** The paths and the flags. */
export const takes = {
  paths: Command.any("PATH…"),
  root: flags.root,
  name: flags.name,
  newRoot: flags.newRoot,
  ignore: flags.ignore,
  gitignore: flags.gitignore,
  filesFrom: flags.filesFrom,
  types: flags.types,
  expand: flags.expand,
  endpoint: flags.endpoint,
  allowPrivate: flags.allowPrivate,
  to: flags.to,
  embedder: flags.embedder,
  service: flags.service,
  apiKey: flags.apiKey,
  ocrLanguages: flags.ocrLanguages,
  parseOptions: flags.parseOptions,
  ...chunking,
  state: flags.state,
  noState: flags.noState,
  mode: flags.mode,
  allowRemovals: flags.allowRemovals,
  verify: flags.verify,
  refresh: flags.refresh,
  rebuild: flags.rebuild,
  rechunk: flags.rechunk,
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
}

/** Values of the paths and of all run flags. */
export type RunFlags = Command.Given<typeof takes>
