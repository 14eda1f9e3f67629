import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What `test/simulation` runs as it is. */
const simulated = ["corpus", "run", "chunking", "client", "gate", "embedding", "sink", "state/ledger", "state/postgres"]

/** Time, chance and disk that no service gives, and which a simulation could not decide about. */
const own =
  /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bset(?:Timeout|Immediate|Interval)\b|\bperformance\.now\b|\brandom(?:UUID|Bytes)\b|"node:(?:fs|timers)|\bprocess\.hrtime\b/gu

/** Files that may take them, each with the reason. */
const mayTake: Readonly<Record<string, string>> = {
  "chunking/steps.ts": "waits between slices of work, whose length `EventLoop` tells",
  "client/multipart.ts": "a boundary, which decides no order",
  "client/undiciPost.ts": "our own transport, which is used on the clock of the machine only",
  "run/distinctTargets.ts": "compares targets that are files",
  "state/ledger/ledger.ts": "a token of a run, which decides no order",
  "state/ledger/released.ts": "looks for files of a root that is a folder",
  "state/ledger/renamed.ts": "looks for files of a root that is a folder",
  "state/postgres/migrate.ts": "the id of a new state, which decides no order"
}

/** Module variables that change. */
const kept = /^(?:let \w+|const \w+ = new (?:Map|Set|WeakMap)(?:<.*>)?\(\))/gmu

/** Files that may keep something for all processes of a simulation, each with the reason. */
const mayKeep: Readonly<Record<string, string>> = {
  "chunking/identity.ts": "the last digest and what it is of",
  "chunking/steps.ts": "work that waits for a turn, whoever's it is",
  "client/originalText.ts": "texts by the object that was read from them",
  "client/plainPost.ts": "transports by their clients",
  "embedding/hash.ts": "a table of characters",
  "sink/generations.ts": "owners by their sinks",
  "state/ledger/packedIds.ts": "packed lists by the lists"
}

const files = simulated
  .flatMap((room) =>
    readdirSync(join(root, "src/internal", room), { recursive: true, withFileTypes: true }).map((entry) =>
      join(entry.parentPath, entry.name)
    )
  )
  .filter((file) => file.endsWith(".ts"))

/** Files with a match that are not excepted, and exceptions without a match. */
const unlike = (pattern: RegExp, except: Readonly<Record<string, string>>) => {
  const found = files
    .filter((file) => readFileSync(file, "utf8").search(pattern) >= 0)
    .map((file) => relative(join(root, "src/internal"), file).replaceAll("\\", "/"))
  return {
    others: found.filter((file) => except[file] === undefined),
    idle: Object.keys(except).filter((file) => !found.includes(file))
  }
}

describe("code that is simulated", () => {
  it("takes time, chance and turns from services", () => {
    assert.deepEqual(unlike(own, mayTake), { others: [], idle: [] })
  })

  it("keeps nothing for all processes that one could see of another", () => {
    assert.deepEqual(unlike(kept, mayKeep), { others: [], idle: [] })
  })
})
