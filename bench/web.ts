/**
 * Main text of web pages: words that are found and that are not wanted, and CPU time, next to Readability and Defuddle over linkedom where these are
 * installed (`cd bench/peers && npm install`). Pages are generated from templates with known text; half of the templates were looked at while rules were
 * chosen ("learn"), the others not ("judge"). With a folder of unpacked Debian packages (`apt-get download NAME && dpkg -x FILE FOLDER/NAME`), also
 * real documentation, whose main text is selected by hand for each tool in `web/debian.json`.
 *
 *     npm run bench -- web [--pages FOLDER] [--seeds 12] [--real 5] [--rows]
 *     npm run bench -- web main FOLDER [--rows]
 *
 * The second takes pages of which the article's body is known, see `web/articles.ts`. `--rows` adds the figures of each page, tool or template.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Schema } from "effect"
import * as articles from "./web/articles.ts"
import * as engines from "./web/engines.ts"
import * as templates from "./web/templates.ts"
import * as truth from "./web/truth.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "boolean", default: false },
    pages: { type: "string" },
    seeds: { type: "string", default: "12" },
    real: { type: "string", default: "5" }
  }
})

interface Case {
  readonly set: "generated" | "real"
  readonly split: string
  readonly group: string
  readonly html: string
  readonly words: truth.Words
}

const generated = (): ReadonlyArray<Case> =>
  Object.keys(templates.templates).flatMap((group) =>
    Array.from({ length: Number(values.seeds) }, (_, at): Case => {
      const { html, marked } = templates.page(group, 1000 + at * 37)
      const split = templates.learned.has(group) ? "learn" : "judge"
      return { set: "generated", split, group, html, words: truth.mainWords(marked, "[data-t]", "[data-f]") }
    })
  )

const Tools = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      split: Schema.String,
      folders: Schema.Array(Schema.String),
      main: Schema.String,
      without: Schema.String
    })
  )
)

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.x?html?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => statSync(file).size > 3000 && statSync(file).size < 200_000)
        .toSorted()
    : []

/** Some pages of each tool, at equal distances; those with fewer than 60 words of main text tell nothing. */
const real = (folder: string): ReadonlyArray<Case> =>
  Schema.decodeSync(Tools)(readFileSync(new URL("web/debian.json", import.meta.url), "utf8")).flatMap((tool) => {
    const files = tool.folders.flatMap((own) => filesBelow(join(folder, own)))
    const wanted = Number(values.real)
    const step = Math.max(1, Math.floor(files.length / (wanted * 2)))
    return files
      .filter((_, at) => at % step === 0)
      .map((file): Case => {
        const html = readFileSync(file, "utf8")
        const words = truth.mainWords(html, tool.main, tool.without)
        return { set: "real", split: tool.split, group: tool.name, html, words }
      })
      .filter(({ words }) => truth.total(words) > 60)
      .slice(0, wanted)
  })

interface Sums {
  readonly scores: Array<truth.Score>
  cpu: number
}

const mean = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, own) => sum + own, 0) / numbers.length

const percent = (share: number): number => Math.round(share * 1000) / 10

const meanOf = (scores: ReadonlyArray<truth.Score>, name: keyof truth.Score): number =>
  mean(scores.map((score) => score[name]))

const rowOf = (scores: ReadonlyArray<truth.Score>): string =>
  `${percent(meanOf(scores, "f1"))} (${percent(meanOf(scores, "precision"))} / ${percent(meanOf(scores, "recall"))})`

/** All engines take each page in turn. Figures are means over the groups of a set and split, so that each template or tool counts alike. */
const run = async (cases: ReadonlyArray<Case>, all: Readonly<Record<string, engines.Extract>>) => {
  const groups = new Map<string, Map<string, Sums>>()
  for (const own of cases) {
    for (const [name, extract] of Object.entries(all)) {
      const before = process.cpuUsage()
      // oxlint-disable-next-line no-await-in-loop -- in turns
      const html = await engines.attempt(extract, own.html)
      const { system, user } = process.cpuUsage(before)
      const key = `${name} ${own.set} ${own.split}`
      const byGroup = groups.get(key) ?? new Map<string, Sums>()
      const sums = byGroup.get(own.group) ?? { scores: [], cpu: 0 }
      sums.scores.push(truth.compare(truth.wordsOf(html), own.words))
      sums.cpu += (user + system) / 1000
      byGroup.set(own.group, sums)
      groups.set(key, byGroup)
    }
  }
  return Object.fromEntries(
    Array.from(groups, ([key, byGroup]) => {
      const all = [...byGroup.values()]
      const of = (name: keyof truth.Score): number => percent(mean(all.map(({ scores }) => meanOf(scores, name))))
      const cpuMs = mean(all.map(({ cpu, scores }) => cpu / scores.length))
      return [
        key,
        {
          groups: all.length,
          f1: of("f1"),
          precision: of("precision"),
          recall: of("recall"),
          cpuMs: Math.round(cpuMs * 10) / 10,
          ...(values.rows && {
            rows: Object.fromEntries(Array.from(byGroup, ([group, { scores }]) => [group, rowOf(scores)]))
          })
        }
      ]
    })
  )
}

/** Figures of generated pages and of those of documentation tools. */
const templatesAndTools = async () => {
  const all = {
    ours: engines.ours("html", true),
    ...(await engines.peers(true)),
    "whole page": engines.ours("html", false)
  }
  const cases = [...generated(), ...(values.pages === undefined ? [] : real(values.pages))]
  await run(cases.slice(0, 20), all)
  const figures = await run(cases, all)
  const named = (name: string) => Object.fromEntries(Object.entries(figures).filter(([key]) => key.startsWith(name)))
  const judged = (name: string, set: string): number | undefined => figures[`${name} ${set} judge`]?.f1
  const ratio = (set: string): number | undefined => {
    const [own, best] = [judged("ours", set), Math.max(judged("readability", set) ?? 0, judged("defuddle", set) ?? 0)]
    return own === undefined || best === 0 ? undefined : Math.round((1000 * own) / best) / 1000
  }
  return {
    ours: named("ours"),
    peers: { ...named("readability"), ...named("defuddle"), ...named("whole page") },
    ratio: { generated: ratio("generated"), real: ratio("real") }
  }
}

const [command, folder] = positionals
const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
const figures =
  command === "main" && folder !== undefined ? await articles.run(folder, values.rows) : await templatesAndTools()
console.log(JSON.stringify({ bench: "web", ...figures, machine }, null, 2))
