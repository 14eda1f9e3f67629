// Trains the models of lines on the documents of a folder that are to be learnt from, and compares them with the rules on the others.
//
//   node --import tsx --conditions=docsluice:source bench/layout/train.ts FOLDER [--seed N] [--outlined FOLDER] [--write]
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Composition from "../../src/engine/pdf/Composition.ts"
import * as DraftFeatures from "../../src/engine/pdf/lines/DraftFeatures.ts"
import * as JoinFeatures from "../../src/engine/pdf/lines/JoinFeatures.ts"
import * as LineModel from "../../src/engine/pdf/lines/LineModel.ts"
import * as Trees from "../../src/engine/pdf/lines/Trees.ts"
import { type BoostOptions, defaults, train } from "./trainBoost.ts"
import { documents } from "./trainDocuments.ts"
import { compare } from "./trainFigures.ts"
import { outlined, outlinedCases, outlinedScore } from "./trainOutlined.ts"
import { joinCases, labelledDrafts, roleCases } from "./trainSamples.ts"
import { kinds } from "./trainTruth.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    outlined: { type: "string" },
    write: { type: "boolean", default: false },
    cache: { type: "string", default: "/tmp/docsluice-layout" }
  }
})
if (positionals.length === 0) throw new Error("usage: train.ts FOLDER… [--seed N] [--outlined FOLDER] [--write]")

const options: BoostOptions = { ...defaults, seed: Number(values.seed) }
const all = []
for (const folder of positionals) all.push(...(await documents(folder, values.cache)))
const learn = all.filter(({ truth }) => truth.split === "learn")
const judge = all.filter(({ truth }) => truth.split === "judge")

const outlines = values.outlined === undefined ? [] : await outlined(values.outlined, values.cache)
const started = process.cpuUsage()
const seconds = (): number => Math.round(process.cpuUsage(started).user / 1e5) / 10

const pairs = learn.flatMap(joinCases)
const joins = train(pairs, JoinFeatures.names, ["joined"], { ...options, rounds: 160, leaves: 16 })
console.error(`${pairs.length} pairs of lines, ${seconds()} s`)
const joinTrees = Trees.unpack(joins)

const paragraphs = learn.map((each) =>
  labelledDrafts(each, LineModel.joinsOf(joinTrees, Composition.styleOf(each.pages), false))
)
const cases = paragraphs.flatMap(roleCases)
const settings = { ...options, rounds: 100, leaves: 12 }
const first: LineModel.LineModel = {
  joins: joinTrees,
  roles: Trees.unpack(train(cases, DraftFeatures.names, kinds, { ...settings, rounds: 50 }))
}
console.error(`${cases.length} paragraphs, ${seconds()} s`)
const more = outlines.filter(({ split }) => split === "learn").flatMap((each) => outlinedCases(each, first))
const roles = train([...cases, ...more], DraftFeatures.names, kinds, settings)
console.error(`${more.length} paragraphs of documents with bookmarks, ${seconds()} s`)

const model: LineModel.LineModel = { joins: joinTrees, roles: Trees.unpack(roles) }
const outlinedMean = (split: "learn" | "judge", of: LineModel.LineModel): string => {
  // Each tenth of those that are learnt from is enough to see a difference.
  const scores = outlines
    .filter((each, at) => each.split === split && (split === "judge" || at % 10 === 0))
    .flatMap((each) => outlinedScore(each, of) ?? [])
  const sum = scores.reduce((one, other) => one + other, 0)
  return `${Math.round((1000 * sum) / Math.max(1, scores.length)) / 10} (${scores.length})`
}
console.log(
  JSON.stringify(
    {
      bench: "layout/train",
      documents: { learn: learn.length, judge: judge.length },
      seconds: seconds(),
      kilobytes: Math.round((JSON.stringify(joins).length + JSON.stringify(roles).length) / 1024),
      learn: compare(
        learn.filter((_, at) => at % 8 === 0),
        model
      ),
      judge: compare(judge, model),
      outlined: Object.fromEntries(
        (["learn", "judge"] as const).map((split) => [split, [first, model].map((each) => outlinedMean(split, each))])
      )
    },
    null,
    1
  )
)

const write = (name: string, what: string, packed: Trees.Packed): void => {
  const file = fileURLToPath(new URL(`../../src/engine/pdf/lines/data/${name}.ts`, import.meta.url))
  const text = readFileSync(new URL("modelFile.txt", import.meta.url), "utf8")
  writeFileSync(
    file,
    text
      .replace("WHAT", what)
      .replace("NAME", name)
      .replace("PACKED", () => JSON.stringify(packed, undefined, 2).replace(/^ {2}"(\w+)":/gmu, "  $1:"))
  )
}
if (values.write) {
  write("joins", "Trees that tell if a line continues the block of the line above it", joins)
  write("roles", "Trees that tell the kind of a paragraph", roles)
}
