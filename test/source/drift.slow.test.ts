import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Drift from "./drift.ts"
import * as Repository from "./repository.ts"

/** A repository in which the changes between two runs are one commit. A `git` before the real one in the path counts commands. */
const git = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-git-drift-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(
  Effect.map((folder): Drift.Place => {
    const repository = join(folder, "manual.git")
    const log = join(folder, "commands")
    const path = process.env["PATH"] ?? ""
    mkdirSync(join(folder, "bin"))
    appendFileSync(log, "")
    writeFileSync(join(folder, "bin/git"), `#!/bin/sh\necho "$3" >> "${log}"\nPATH="${path}" exec git "$@"\n`, {
      mode: 0o755
    })
    Repository.init(repository)
    const files = new Map<string, Buffer>()
    const count = (command: string) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line === command).length
    return {
      name: "manual@main",
      root: `git:${repository}@main`,
      env: { PATH: `${join(folder, "bin")}:${path}` },
      write: (name, bytes) => Effect.sync(() => void files.set(name, Buffer.from(bytes))),
      remove: (name) => Effect.sync(() => void files.delete(name)),
      move: (from, to) =>
        Effect.sync(() => {
          files.set(to, files.get(from) ?? Buffer.alloc(0))
          files.delete(from)
        }),
      settle: Effect.sync(
        () =>
          void Repository.commit(
            repository,
            Array.from(files, ([name, body]) => ({ name, body }))
          )
      ),
      reads: () => count("cat-file"),
      listings: () => count("ls-tree")
    }
  })
)

describe("a store is kept in step with 500 documents through ten runs, some of which are killed", () => {
  it.scopedLive("of a git repository", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(git, { mostListings: 2 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )
})
