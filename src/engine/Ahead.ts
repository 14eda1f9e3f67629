/** The parsers' process, before there is a pool. Loads nothing but what starts it. */
import * as Entry from "#entry"
import type { Job } from "./jobs.ts"
import * as Transport from "./lanes/Transport.ts"

/** Starts the process that a pool of this process will take for its first document, whose job is of that kind. */
export const start = (kind: Job["kind"]): void =>
  Transport.startAhead(Entry.entryBeside("laneEntry", import.meta.url), kind)
