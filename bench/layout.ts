/**
 * Documents with known truth, written by real programs, and scores of engines on them. See `bench/layout/README.md`.
 *
 *     npm run bench -- layout write DIR [--seeds 1-20] [--templates all|learn|judge|NAME,…] [--producers NAME,…]
 *     npm run bench -- layout align DIR
 */
import { parseArgs } from "node:util"
import { quality } from "./layout/alignment.ts"
import * as Producers from "./layout/producers/all.ts"
import { templates, type Template } from "./layout/templates.ts"
import { write } from "./layout/write.ts"

const usage =
  "usage: npm run bench -- layout write DIR [--seeds 1-20] [--templates all|learn|judge] [--producers NAME,…]"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1-2" },
    templates: { type: "string", default: "all" },
    producers: { type: "string", default: "" }
  }
})

/** `1-3,7` as numbers. */
const numbers = (text: string): ReadonlyArray<number> =>
  text.split(",").flatMap((part) => {
    const [from = 1, to = from] = part.split("-").map(Number)
    if (!Number.isInteger(from) || !Number.isInteger(to)) throw new Error(`--seeds: ${part} is not a number or a range`)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  })

const chosen = (text: string): ReadonlyArray<Template> => {
  const names = text.split(",")
  const found = templates.filter(({ name, split }) => text === "all" || text === split || names.includes(name))
  if (found.length === 0)
    throw new Error(`--templates: no ${text}; there are ${templates.map(({ name }) => name).join(", ")}`)
  return found
}

const [command, folder] = positionals
if (command === "write" && folder !== undefined) {
  const written = await write({
    folder,
    seeds: numbers(values.seeds),
    templates: chosen(values.templates),
    producers: Producers.named(values.producers.split(",").filter((name) => name !== ""))
  })
  console.log(JSON.stringify({ bench: "layout", ours: written }))
} else if (command === "align" && folder !== undefined) {
  console.log(JSON.stringify({ bench: "layout", alignment: await quality(folder) }))
} else {
  console.error(usage)
  process.exitCode = 64
}
