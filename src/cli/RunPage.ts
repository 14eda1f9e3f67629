/** `--report OUT` and `status --html OUT`: reports of runs as a web page. */
import { createHash } from "node:crypto"
import { dirname, join, relative, resolve, sep } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Description from "../internal/corpus/description.ts"
import type { Recorded, RunReport } from "../internal/state/ledger/runReport.ts"
import { Ledger } from "../Ledger.ts"
import { documentId } from "../SourceFile.ts"
import type { Links } from "../view/report/Documents.tsx"
import type { Detail } from "../view/report/Run.tsx"
import type { Spelling } from "./Flag.ts"
import { flags } from "./flags.ts"
import * as PageFile from "./PageFile.ts"
import * as Shell from "./Shell.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"
import * as Words from "./Words.ts"

/** The file of `--report`, checked before any work; null without the flag. */
export const at = (
  given: Option.Option<string>
): Effect.Effect<PageFile.PageFile | null, UsageError, FileSystem.FileSystem> =>
  Option.match(given, {
    onNone: () => Effect.succeed(null),
    onSome: (path) =>
      path === "-"
        ? new UsageError({ problem: "--report -: stdout has the result of the run; name a file for the report" })
        : PageFile.at(path, null, "--report")
  })

/** Reports to show in detail, and what they are shown with. */
export interface Shown {
  /** State directory; null without one. */
  readonly state: string | null
  readonly history: ReadonlyArray<Recorded>
  readonly details: ReadonlyArray<Recorded>
  /** Path of the page; null when it goes to stdout, where no link leads anywhere. */
  readonly path: string | null
}

/** The page as HTML. */
export const html = ({ details, history, path, state }: Shown): Effect.Effect<string, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { css, render } = yield* Effect.promise(() => import("../view/report/ReportPage.tsx"))
    const styleHash = `sha256-${createHash("sha256").update(css).digest("base64")}`
    const shown = yield* Effect.forEach(details, (recorded) => detail(recorded, state, path))
    return render({ state, history: history.map(inWords), details: shown.flat(), styleHash })
  })

/** The last twenty runs of a state, the latest first. */
export const history = (state: string) =>
  Effect.provide(
    Effect.flatMap(Ledger, (ledger) => ledger.reports),
    State.ledgerReadOnly(state)
  )

/**
 * Writes the page of the runs that a command made. The runs are over: a page that cannot be written is reported to the person and changes
 * no exit status, which is that of the runs.
 */
export const write = (
  file: PageFile.PageFile,
  state: string | null,
  made: ReadonlyArray<RunReport>
): Effect.Effect<void, never, Terminal | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { note } = yield* Terminal
    const last = state === null ? [] : yield* Effect.orElseSucceed(history(state), () => [])
    const details = made.map((report): Recorded => recordedOf(last, report)).toReversed()
    const page = yield* html({
      state: state === null ? null : State.shown(state),
      history: last.length === 0 ? details : last,
      details,
      path: file.path
    })
    yield* file.write([page])
    yield* note(`wrote ${file.path}: the report of the run`)
  }).pipe(
    Effect.catchTag("PageNotWritten", (error) =>
      Effect.flatMap(Terminal, ({ failure }) => failure(`the report was not written, the run stands: ${error.message}`))
    )
  )

/** The run of a report, in the ledger or by itself. */
const recordedOf = (last: ReadonlyArray<Recorded>, report: RunReport): Recorded =>
  last.find(
    (one) => one.report?.startedAt === report.startedAt && one.report.root === report.root && one.finishedAt !== null
  ) ?? {
    run: last.length + 1,
    startedAt: report.startedAt,
    finishedAt: report.finishedAt,
    request: "",
    report
  }

const inWords = (recorded: Recorded): Recorded => ({
  ...recorded,
  report: recorded.report === null ? null : Words.ofReport(recorded.report)
})

const detail = ({ report, request, run }: Recorded, state: string | null, path: string | null) =>
  Effect.gen(function* () {
    if (report === null) return []
    const asked = Option.map(Either.getRight(Description.decode(request)), ({ run }) => run)
    const listed = [report.slowest, report.largest, report.emptyDocuments, report.truncatedDocuments].flat()
    const links = new Map<string, Links>()
    for (const { source } of listed) {
      if (!links.has(source)) links.set(source, yield* linksOf(source, report, Option.getOrNull(asked), path))
    }
    const found: Detail = {
      run: state === null ? null : run,
      report: Words.ofReport(report),
      linksOf: (source) => links.get(source) ?? nowhere,
      retry: state === null ? null : Shell.ofState("retry", state)
    }
    return [found]
  })

const nowhere: Links = { file: null, folder: null, command: null }

/** A report cuts long names, which then name no file. */
const isCut = (source: string): boolean => source.endsWith("…")

const linksOf = (
  source: string,
  report: RunReport,
  asked: Description.Description | null,
  page: string | null
): Effect.Effect<Links, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { folder, root } = report
    if (folder === null || root === null || isCut(source)) return nowhere
    const file = resolve(folder, source)
    // A source of one's own may name what is in another place.
    if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return nowhere
    const stores = report.sinks.flatMap((sink) =>
      sink.startsWith("fs:") && !isCut(sink) ? [join(sink.slice(3), documentId(root, source))] : []
    )
    const there = yield* Effect.forEach([file, ...stores], (path) => reachable(path, page))
    const [own = null, ...folders] = there
    return {
      file: own,
      folder: folders.find((one) => one !== null) ?? null,
      command: unseen.test(file) ? null : command(file, asked)
    }
  })

/** The address of a file that is there, relative to the page. */
const reachable = (path: string, page: string | null) =>
  Effect.gen(function* () {
    if (page === null) return null
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(path), () => false))) return null
    return Either.getOrNull(
      Either.try(() => {
        const below = relative(dirname(resolve(page)), path).split(sep)
        return `./${below.map(encodeURIComponent).join("/")}`
      })
    )
  })

/** Characters that the page shows as signs, so that a command with them could not be copied from it. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** Name of the page of a document's chunks. */
const pageName = (file: string): string => `${file.slice(file.lastIndexOf(sep) + 1)}.html`

const command = (file: string, asked: Description.Description | null): string => {
  const told: ReadonlyArray<readonly [Spelling, string | number | undefined]> = [
    [flags.chunker, asked?.chunker?.kind],
    [flags.maxTokens, asked?.chunker?.maxTokens],
    [flags.overlap, asked?.chunker?.overlap],
    [flags.minTokens, asked?.chunker?.minTokens],
    [flags.pageBoundaries, asked?.chunker?.pageBoundaries],
    [flags.tokenizer, asked?.tokenizer],
    [flags.service, asked?.service]
  ]
  const options = told.flatMap(([flag, value]) =>
    value === undefined || String(value) === flag.default ? [] : [`--${flag.name}`, String(value)]
  )
  return Shell.line(["chunks", file, ...options, "--html", pageName(file)])
}
