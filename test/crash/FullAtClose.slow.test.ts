import { execFile } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isolation } from "../faults/disk.ts"
import { bundled } from "../fixtures/bundled.ts"
import { scratch } from "../fixtures/state.ts"

const program = new URL("fullAtClose.ts", import.meta.url)

const said = (folder: string) =>
  Effect.async<unknown>((resume) => {
    const script = 'mount -t tmpfs -o size=16000000 tmpfs "$1" && exec "$2" "$3" "$1"'
    const words = [...(isolation ?? []), "sh", "-c", script, "sh", folder, process.execPath, bundled(program)]
    execFile("unshare", words, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(JSON.parse(stdout)) : Effect.dieMessage(stderr))
    )
  })

/** The test is skipped where no disk can be mounted. */
describe.skipIf(isolation === undefined)("a disk that is full when ledger and caches are closed", () => {
  it.scopedLive("is a warning, no fault, and takes nothing of what was written away", () =>
    Effect.gen(function* () {
      const found = yield* said(yield* scratch)
      assert.deepInclude(found, { wasFull: true, closed: "well", looked: 200, counts: [200, 200, 200] })
      assert.match(JSON.stringify(found), /could not be put in order when it was closed/)
    })
  )
})
