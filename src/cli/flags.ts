/** Every flag of the command line, in the sections and the order of the help pages; a command picks those that it needs. */
import type { Spelling } from "./Flag.ts"
import { chunking, files, parsing } from "./flags/documents.ts"
import { evaluation } from "./flags/evaluation.ts"
import { costs, output, queues, state } from "./flags/runs.ts"
import { keys, server } from "./flags/server.ts"
import { agent, search, stores } from "./flags/stores.ts"

export const flags = {
  ...files,
  ...stores,
  ...search,
  ...agent,
  ...evaluation,
  ...parsing,
  ...chunking,
  ...state,
  ...costs,
  ...server,
  ...keys,
  ...queues,
  ...output
}

interface Section {
  readonly title: string
  readonly flags: ReadonlyArray<Spelling>
}

export const sections: ReadonlyArray<Section> = [
  { title: "Files", flags: Object.values(files) },
  { title: "Stores", flags: Object.values(stores) },
  { title: "Search", flags: Object.values(search) },
  { title: "Agent", flags: Object.values(agent) },
  { title: "Evaluation", flags: Object.values(evaluation) },
  { title: "Parsing", flags: Object.values(parsing) },
  { title: "Chunks", flags: Object.values(chunking) },
  { title: "State", flags: Object.values(state) },
  { title: "Cost and speed", flags: Object.values(costs) },
  { title: "Server", flags: Object.values(server) },
  { title: "serve keys add", flags: Object.values(keys) },
  { title: "Queue", flags: Object.values(queues) },
  { title: "Output", flags: Object.values(output) }
]
