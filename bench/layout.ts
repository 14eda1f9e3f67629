/**
 * Documents with known truth, written by real programs, and scores of engines on them. See `bench/layout/README.md`.
 *
 *     npm run bench -- layout write DIR [--seeds 1-20] [--templates all|learn|judge|NAME,…] [--producers NAME,…] [--languages CODE,…] [--keep]
 *     npm run bench -- layout align DIR
 *     npm run bench -- layout score DIR [--engines docsluice,liteparse-wasm,pdf-inspector] [--by source|language] [--strip-tags] [--out FILE]
 *     npm run bench -- layout why FILE [--page N]
 *
 * `score` also takes a folder of other documents with a `manifest.json`.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { quality } from "./layout/alignment.ts"
import * as Languages from "./layout/languages/all.ts"
import * as Producers from "./layout/producers/all.ts"
import * as Score from "./layout/score.ts"
import * as BySource from "./layout/score/bySource.ts"
import { measures } from "./layout/score/file.ts"
import * as Summary from "./layout/score/summary.ts"
import { templates, type Template } from "./layout/templates.ts"
import { why } from "./layout/why.ts"
import { write } from "./layout/write.ts"

const usage =
  "usage: npm run bench -- layout write DIR [--seeds 1-20] [--templates all|learn|judge] [--producers NAME,…]"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1-2" },
    templates: { type: "string", default: "all" },
    producers: { type: "string", default: "" },
    languages: { type: "string", default: "" },
    engines: { type: "string", default: "" },
    out: { type: "string" },
    page: { type: "string" },
    keep: { type: "boolean", default: false },
    by: { type: "string", default: "groups" },
    "strip-tags": { type: "boolean", default: false }
  }
})

const list = (text: string): ReadonlyArray<string> => text.split(",").filter((name) => name !== "")

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
    producers: Producers.named(list(values.producers)),
    languages: Languages.named(list(values.languages)),
    keep: values.keep
  })
  console.log(JSON.stringify({ bench: "layout", ours: written }))
} else if (command === "align" && folder !== undefined) {
  console.log(JSON.stringify({ bench: "layout", alignment: await quality(folder) }))
} else if (command === "score" && folder !== undefined) {
  const rows = await Score.rows(folder, { engines: list(values.engines), stripTags: values["strip-tags"] })
  const bySource = values.by === "source"
  const summary = Summary.make(rows, values.by === "groups" ? Score.groupingsOf(folder) : [values.by])
  const sources = bySource ? { sources: BySource.make(summary, "source", measures) } : {}
  console.error(Summary.table(summary))
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify({ summary, ...sources, rows }))
  console.log(JSON.stringify({ bench: "layout", summary, ...sources }))
} else if (command === "why" && folder !== undefined) {
  const page = values.page === undefined ? undefined : Number(values.page)
  for (const line of await why(folder, page)) console.log(line)
} else {
  console.error(usage)
  process.exitCode = 64
}
