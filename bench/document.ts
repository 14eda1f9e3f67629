/**
 * What a small document costs: the whole road of HTML files of 2.6 KB, from the folder to the store, with ledger, cache and vectors,
 * next to LangChain.js and a plain loop; first run, unchanged, 1 % changed, moved to another store. And one `client.parse`, next to a
 * bare loop. Processes of their own, in turns.
 *
 *     npm run bench -- document [--part run|client] [--files 2000] [--rounds 3] [--only ours,langchain,plainLoop] [--without parser,ledger,embedding] [--profile FOLDER]
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { measure } from "./document/client.ts"
import { run } from "./document/run.ts"

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "2000" },
    rounds: { type: "string", default: "3" },
    without: { type: "string", default: "" },
    part: { type: "string" },
    only: { type: "string", default: "" },
    profile: { type: "string" }
  }
})
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`]
const only = values.only === "" ? [] : values.only.split(",")
const without = (["parser", "ledger", "embedding"] as const).filter((part) => values.without.split(",").includes(part))
const { files, rounds } = { files: Number(values.files), rounds: Number(values.rounds) }
const { ours, ...peers } = values.part === "client" ? {} : await run({ files, rounds, only, without, flags })
const client =
  values.part === "run" ? undefined : await measure({ files: Math.ceil(files / 2), concurrency: 16, rounds })
const first = ours?.["first"]
const other = peers["langchain"]?.["first"]
const ratio = (one: number | undefined, two: number | undefined): number | null =>
  one === undefined || two === undefined ? null : Math.round((100 * one) / two) / 100
console.log(
  JSON.stringify(
    {
      bench: "document",
      files,
      ...(without.length > 0 && { without }),
      ours,
      peers,
      client,
      ratio: {
        cpu: ratio(first?.cpuMsPerDocument, other?.cpuMsPerDocument),
        documentsPerSecond: ratio(first?.documentsPerSecond, other?.documentsPerSecond)
      },
      machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
    },
    null,
    2
  )
)
