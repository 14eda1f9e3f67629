import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commandLine } from "../fixtures/commandLine.ts"
import * as Postgres from "../sinks/postgres.ts"
import { fences, paths, read } from "./pages.ts"
import { agrees, walk } from "./walk.ts"

/** Pages whose `sh` fences are run; CI runs those of the README and of CONTRIBUTING. */
const guides = paths.filter(
  (path) => path.startsWith("docs/") && fences(read(path)).some(({ language }) => language === "sh")
)

const needsDatabase = (path: string): boolean => path === "docs/pgvector.md"

const missing = Postgres.missing()
let server: Postgres.Postgres | null = null

beforeAll(async () => {
  server = missing === null ? await Postgres.start() : null
}, 60_000)

afterAll(async () => {
  await server?.stop()
})

describe.concurrent("guides", () => {
  it("the ones with commands are all run", () => {
    assert.includeMembers([...guides], ["docs/first-answer.md", "docs/pgvector.md", "docs/uploads.md"])
  })

  for (const path of guides) {
    it.skipIf(needsDatabase(path) && missing !== null)(
      `${path}: the commands succeed and print what the page shows`,
      { timeout: 220_000 },
      async () => {
        const steps = await walk(read(path), commandLine(), { DATABASE_URL: server?.url ?? "" })
        for (const { commands, printed, shown } of steps) {
          if (shown !== undefined && !agrees(shown, printed)) assert.strictEqual(printed, shown, commands)
        }
        assert.isAbove(steps.filter(({ shown }) => shown !== undefined).length, 0)
      }
    )
  }
})

describe("an output", () => {
  it("agrees with the one shown but for times, ids and what … stands for", () => {
    assert.isTrue(agrees("stored 3 documents (2 s)\n", "stored 3 documents (410 ms)\n"))
    assert.isFalse(agrees("stored 3 documents (2 s)\n", "stored 2 documents (2 s)\n"))
    assert.isTrue(agrees("a … c\n…\nlast (1)", "a b c\nmore\nand more\nlast (1)"))
    assert.isFalse(agrees("a … c\nlast", "a b c\nmore\nlast"))
  })
})
