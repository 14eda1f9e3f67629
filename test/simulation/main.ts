/**
 * Runs simulations: `main.ts [--from SEED] [--seeds N] [--minutes M] [--story SEED] [--keep SEED] [--disk]`. Seeds are numbers. Prints one JSON object;
 * `--story` shrinks the plan of a seed that fails and tells it, `--keep` also writes it to `test/simulation/kept`, where it is a test;
 * `--disk` runs the plans of a machine with its state in a folder.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Plan from "./Plan.ts"
import * as Shrink from "./Shrink.ts"
import { run } from "./Simulation.ts"

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    seeds: { type: "string", default: "300" },
    step: { type: "string", default: "1" },
    minutes: { type: "string", default: "1000000" },
    until: { type: "string" },
    story: { type: "string" },
    keep: { type: "string" },
    disk: { type: "boolean", default: false }
  }
})

/** Kinds of events of a trace, without what names a document. */
const kindOf = (what: string): string =>
  what
    .replace(/^(state: (?:WITH \w+ AS \(\w+|\w+ \w+)).*/u, "$1")
    .replace(/^(\w+: sim:\d \w+).*/u, "$1")
    .replace(/^(source|service|embedder): .*/u, "$1")
    .replace(/^(\w+ (?:is|ends|fails|\w+s)\b).*/u, "$1")

const planOf = values.disk ? Plan.onDisk : Plan.make

const told = values.story ?? values.keep
if (told === undefined) {
  const begin = performance.now()
  const cpu = process.cpuUsage().user
  const pairs = new Set<string>()
  const failures: Array<{ readonly seed: string; readonly invariant: string; readonly problem: string }> = []
  let runs = 0
  let steps = 0
  let millis = 0
  const limit = begin + Number(values.minutes) * 60_000
  const end = Number(values.from) + Number(values.seeds)
  for (let seed = Number(values.from); seed < end && performance.now() < limit; seed += Number(values.step)) {
    const result = await run(planOf(String(seed)))
    runs += 1
    steps += result.steps
    millis += result.millis
    const [first] = result.violations
    if (first !== undefined) failures.push({ seed: String(seed), ...first })
    let before = ""
    for (const { what, who } of result.trace) {
      const kind = kindOf(what)
      if (!before.startsWith(`${who} `)) pairs.add(`${before.slice(before.indexOf(" ") + 1)} > ${kind}`)
      before = `${who} ${kind}`
    }
    if (first !== undefined && (values.until === "" || first.invariant === values.until)) break
  }
  const seconds = (performance.now() - begin) / 1000
  const cpuSeconds = (process.cpuUsage().user - cpu) / 1_000_000
  console.log(
    JSON.stringify({ runs, seconds, cpuSeconds, steps, hours: millis / 3_600_000, pairs: [...pairs], failures })
  )
} else {
  const plan = planOf(told)
  const [first] = (await run(plan)).violations
  if (first === undefined) {
    console.log(`seed ${told} breaks nothing`)
  } else {
    const shortest = await Shrink.shrunk(plan, first.invariant)
    console.log(`${Shrink.outline(shortest)}\n\n${Shrink.story(await run(shortest))}`)
    if (values.keep !== undefined) {
      const folder = join(process.cwd(), "test/simulation/kept")
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${told}.json`), `${JSON.stringify(shortest, null, 2)}\n`)
    }
  }
}
