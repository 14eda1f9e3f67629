import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Chunker } from "../Chunker.ts"
import type { Ledger, LedgerError } from "../Ledger.ts"
import type { LedgerEntry } from "../LedgerEntry.ts"
import type { PageCounter } from "../PageCounter.ts"
import type { CacheKey, ParseCache, ParseCacheError } from "../ParseCache.ts"
import { fromData, pageCount } from "../ParsedDocument.ts"
import * as Credits from "../service/Credits.ts"
import { extensionOf } from "../service/FileType.ts"
import type { Resolved } from "../service/ParseOptions.ts"
import * as SourceFile from "../SourceFile.ts"
import type { Tokenizer } from "../Tokenizer.ts"
import * as Changes from "./changes.ts"
import { contentHash } from "./contentHash.ts"
import type { Planned } from "./planTally.ts"
import { sha256 } from "./sha256.ts"
import { tokensOf } from "./tokenEstimate.ts"

/** What all files of a plan are looked at with. */
export interface Context {
  readonly ledger: Ledger.Service
  readonly cache: ParseCache.Service
  readonly counter: PageCounter.Service
  readonly chunker: Chunker
  readonly resolved: Resolved
  /** Answers are kept. */
  readonly retain: boolean
  readonly expected: Changes.Expected
}

/** Digest of what decides the chunks beside the answer. */
export const configuration = (chunker: Chunker, tokenizer: string): string =>
  sha256(`${chunker.name} ${chunker.configuration} ${tokenizer}`)

/** Pages that a parse would give, at least 1. */
export interface Counted {
  readonly pages: number
  readonly exact: boolean
}

/** Opens a PDF; every other format is one page. */
export const pages = (
  file: SourceFile.SourceFile,
  resolved: Resolved,
  counter: PageCounter.Service
): Effect.Effect<Counted> => {
  if (extensionOf(file.path) !== "pdf") return Effect.succeed({ pages: 1, exact: true })
  return SourceFile.bytes(file).pipe(
    Effect.flatMap(counter.pages),
    Effect.orElseSucceed(() => null),
    Effect.map((all) =>
      all === null
        ? { pages: 1, exact: false }
        : { pages: Math.max(1, Math.min(all, resolved.pdf.maxPages ?? all)), exact: true }
    )
  )
}

export const cost = ({ pages }: Counted, resolved: Resolved): { readonly pages: number; readonly credits: number } => ({
  pages,
  credits: Credits.ofParse(resolved, { numPages: pages })
})

type Failure = LedgerError | ParseCacheError

/** What would become of a file that its fingerprint does not tell unchanged. */
export const make = (
  context: Context
): ((file: SourceFile.SourceFile) => Effect.Effect<Planned, Failure, Tokenizer>) => {
  /** Bytes that an earlier file of this plan has parsed. */
  const parsed = new Set<string>()
  return (file) =>
    Effect.gen(function* () {
      const entry = Option.getOrNull(yield* context.ledger.get(file))
      const verdict = yield* decided(context, file, entry)
      if ("action" in verdict) return verdict
      return yield* planned(context, file, entry, verdict, parsed)
    })
}

const decided = (
  { expected }: Context,
  file: SourceFile.SourceFile,
  entry: LedgerEntry | null
): Effect.Effect<Changes.Verdict | Planned> => {
  const decision = Changes.decide(entry, file, expected)
  if (decision._tag !== "NeedsHash") return Effect.succeed(decision)
  return Effect.match(contentHash(file), {
    onFailure: (error): Planned => ({ source: file.path, action: "failed", reason: error.message }),
    onSuccess: (hash) => Changes.decideByContent(entry, hash, expected)
  })
}

const planned = (
  context: Context,
  file: SourceFile.SourceFile,
  entry: LedgerEntry | null,
  verdict: Changes.Verdict,
  parsed: Set<string>
): Effect.Effect<Planned, Failure, Tokenizer> => {
  const source = file.path
  if (verdict._tag === "Unchanged") return Effect.succeed({ source, action: "unchanged" })
  if (verdict._tag === "KnownFailure") {
    const { message, tag } = verdict.failure
    return Effect.succeed({
      source,
      action: "failed",
      reason: `failed before and is not sent again: ${tag}: ${message}`
    })
  }
  const action = (entry?.stored ?? null) === null ? "new" : "changed"
  const reason = reasons[verdict.reason]
  return Effect.flatMap(known(context, file, entry, verdict), (cached): Effect.Effect<Planned> => {
    if (cached !== null) return Effect.succeed({ source, action, reason, ...cached })
    const again = context.retain && parsed.has(verdict.contentHash)
    parsed.add(verdict.contentHash)
    return Effect.map(pages(file, context.resolved, context.counter), (counted) => ({
      source,
      action,
      reason,
      ...cost(counted, context.resolved),
      ...(again ? { credits: 0 } : {}),
      tokens: tokensOf(file, counted.pages),
      fromCache: again,
      estimated: counted.exact ? (["credits", "tokens"] as const) : (["pages", "credits", "tokens"] as const)
    }))
  })
}

const reasons: Readonly<Record<Changes.RechunkReason | Changes.ReparseReason, string | undefined>> = {
  new: undefined,
  content: "its bytes changed",
  options: "the parse options changed",
  failed: "it failed before",
  asked: "asked for",
  configuration: "the chunker changed",
  embedder: "the embedder changed",
  sinks: "not in every sink"
}

type Costs = Pick<Planned, "pages" | "credits" | "tokens" | "fromCache">

/** What the cache and the ledger tell exactly; null when the file would be parsed. */
const known = (
  { cache, chunker, expected, retain }: Context,
  file: SourceFile.SourceFile,
  entry: LedgerEntry | null,
  verdict: Extract<Changes.Verdict, { readonly _tag: "Rechunk" | "Reparse" }>
): Effect.Effect<Costs | null, Failure, Tokenizer> =>
  Effect.gen(function* () {
    if (!retain || expected.redo === "parses") return null
    const { contentHash: hash } = verdict
    const identity = verdict._tag === "Rechunk" ? verdict.identity : expected.identity
    const key: CacheKey = { contentHash: hash, optionsHash: expected.optionsHash, identity }
    if (Option.isNone(yield* cache.createdAt(key))) return null
    const report = entry?.stored?.report
    if (verdict._tag === "Rechunk" && verdict.reason !== "configuration" && report !== undefined) {
      return { pages: Math.max(1, report.pages), credits: 0, tokens: report.tokens, fromCache: true }
    }
    const answer = yield* cache.get(key)
    if (Option.isNone(answer)) return null
    const document = fromData(file, hash, answer.value.data, "cache")
    const chunked = yield* Effect.either(chunker.chunk(document))
    const chunks = Either.isRight(chunked) ? chunked.right.chunks : []
    return {
      pages: Math.max(1, pageCount(document)),
      credits: 0,
      tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0),
      fromCache: true
    }
  })
