/** The parsers' processes, before there is a pool. Loads nothing but what starts them. */
import * as Entry from "#entry"
import type { Job } from "./jobs.ts"
import * as Transport from "./lanes/Transport.ts"

/** Starts the processes that the pools of this process will take for their first jobs, which are of these kinds. */
export const start = (jobs: ReadonlyArray<Job["kind"]>): void => {
  for (const kind of jobs) Transport.startAhead(Entry.entryBeside("laneEntry", import.meta.url), kind)
}
