import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Summary } from "docsluice/Outcome"
import { Effect, Schema, type Scope } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { type Result, runHere } from "./run.ts"

/** The service's answer for each file: a text of its own, and a member of metadata to filter by. */
const library: Readonly<Record<string, { readonly markdown: string; readonly language: string }>> = {
  "gauges.pdf": {
    markdown: "# Gauges\n\n## Calibration\n\nEvery gauge is calibrated in spring, before the thaw.",
    language: "en"
  },
  "sensors.pdf": { markdown: "# Sensors\n\nA thermometer reads in the shade.", language: "en" },
  "letters.pdf": { markdown: "# Letters\n\nDear neighbour, the mast needs a new stay.", language: "de" }
}

export interface Workplace {
  readonly folder: string
  readonly docs: string
  readonly state: string
  /** Counts what was parsed. */
  readonly service: FaultServer.FaultServer
  /** The command line in this process; every word is given as it is. */
  readonly run: (...words: ReadonlyArray<string>) => Effect.Effect<Result>
  /** `ingest --json` of the documents, with `words` added. */
  readonly ingest: (...words: ReadonlyArray<string>) => Effect.Effect<Result & { readonly summary: Summary | null }>
  /** All that was printed and all that lies in the folder, as one text of Latin-1. */
  readonly traces: () => string
}

const summaryOf = Schema.decodeSync(Schema.parseJson(Summary))

const files = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** A folder with three documents and a state, and a service. */
export const make: Effect.Effect<Workplace, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-cli-")))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const [docs, state] = [join(folder, "docs"), join(folder, "state")]
  mkdirSync(docs)
  for (const name of Object.keys(library)) writeFileSync(join(docs, name), `document ${name}`)
  // The ledger would hash files that have just been written, since they may still change.
  yield* Effect.sleep("40 millis")
  const service = yield* FaultServer.start({
    document: ({ filename }) => {
      const { language, markdown } = library[filename] ?? { markdown: filename, language: "fr" }
      return { success: true, data: { markdown, metadata: { language, numPages: 1, totalPages: 1 } } }
    }
  })
  let said = ""
  const run = (...words: ReadonlyArray<string>) =>
    Effect.tap(
      Effect.promise(() => runHere(words)),
      ({ stderr, stdout }) => Effect.sync(() => void (said += stdout + stderr))
    )
  const given = ["--root", docs, "--state", state, "--service", service.base]
  return {
    folder,
    docs,
    state,
    service,
    run,
    ingest: (...words) =>
      Effect.map(run("ingest", "--json", ...given, ...words, "."), (result) => ({
        ...result,
        summary: result.stdout === "" ? null : summaryOf(result.stdout)
      })),
    traces: () => [said, ...files(folder).map((file) => readFileSync(file, "latin1"))].join("\n")
  }
})

/** Lets the process have these variables while the effect runs. */
export const withVariables =
  (variables: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
        Object.assign(process.env, variables)
        return before
      }),
      () => effect,
      (before) =>
        Effect.sync(() => {
          for (const [name, value] of before) {
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
          }
        })
    )

const Passage = Schema.Struct({
  id: Schema.String,
  index: Schema.Int,
  pages: Schema.Array(Schema.Int),
  headingPath: Schema.Array(Schema.Struct({ depth: Schema.Int, text: Schema.String })),
  text: Schema.String
})

const Hit = Schema.Struct({
  score: Schema.Number,
  relevance: Schema.Number.pipe(Schema.between(0, 1)),
  similarity: Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1))),
  matched: Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1))),
  highlights: Schema.Array(Schema.Struct({ start: Schema.Int, end: Schema.Int })),
  before: Schema.optional(Schema.Array(Passage)),
  after: Schema.optional(Schema.Array(Passage)),
  parent: Schema.optional(Schema.Array(Passage)),
  id: Schema.String,
  documentId: Schema.String,
  source: Schema.String,
  pages: Schema.Array(Schema.Int),
  headingPath: Schema.Array(Schema.Struct({ depth: Schema.Int, text: Schema.String })),
  text: Schema.String,
  metadata: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** Decoded output of `search --json`; a missing or additional member fails. */
export const hitsOf = ({ stdout }: Result) =>
  Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Hit)), { onExcessProperty: "error" })(stdout)
