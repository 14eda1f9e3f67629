import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { NodeContext } from "@effect/platform-node"
import * as Corpus from "docsluice/Corpus"
import { Effect } from "effect"
import { shared } from "../fixtures/shared.ts"

export const documents = fileURLToPath(new URL("../../examples/documents", import.meta.url))

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-mcp-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

/** Store and state of the sample documents, as a run leaves them; made once for all tests of the file that calls it. */
export const sample = () =>
  shared(
    Effect.gen(function* () {
      const cwd = yield* folder
      const [store, state] = [join(cwd, "store.db"), join(cwd, "state")]
      const ingested = Effect.gen(function* () {
        const corpus = yield* Corpus.make({ to: `libsql:${store}`, embedder: "hash", state })
        yield* corpus.ingest({ root: documents, name: "documents" })
      })
      yield* Effect.orDie(Effect.provide(Effect.scoped(ingested), NodeContext.layer))
      return { cwd, store, state }
    })
  )
