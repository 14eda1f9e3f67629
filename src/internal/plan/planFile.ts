/** The action that a run would take for each file, and its cost. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Chunker } from "../../Chunker.ts"
import type { Ledger, LedgerError } from "../../Ledger.ts"
import { tagOf } from "../../Outcome.ts"
import { type CacheKey, type ParseCache, type ParseCacheError, typeOf } from "../../ParseCache.ts"
import { pageCount, type ParsedDocument } from "../../ParsedDocument.ts"
import type { ParseError, Parser, Terms } from "../../Parser.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { type PageCounter, pagesOf } from "../base/pageCounter.ts"
import { CurrentFile, isNotCached, notCached } from "../client/currentFile.ts"
import { fileHash } from "../discovery/fileHash.ts"
import type { LedgerEntry } from "../state/ledger/entry.ts"
import * as Changes from "../state/ledger/verdict.ts"
import type { Planned } from "./planTally.ts"
import { tokensOf } from "./tokenEstimate.ts"

/** The collaborators of a plan. */
export interface Context {
  readonly ledger: Ledger.Service
  readonly cache: ParseCache.Service
  readonly counter: PageCounter.Service
  readonly chunker: Chunker
  readonly terms: Terms
  /** Asked for what the chunker needs. */
  readonly parser: Parser.Service
  readonly expected: Changes.Expected
}

type Failure = LedgerError | ParseCacheError

/** The planned action for a file whose fingerprint does not prove it unchanged. */
export const make = (context: Context): ((file: SourceFile) => Effect.Effect<Planned, Failure, Tokenizer>) => {
  /** Bytes and file types that an earlier file of this plan would have parsed. */
  const parsed = new Set<string>()
  return (file) =>
    Effect.gen(function* () {
      const entry = Option.getOrNull(yield* context.ledger.get(file))
      const verdict = yield* decided(context, file, entry)
      if ("action" in verdict) return verdict
      return yield* planned({ ...context, parsed }, file, entry, verdict)
    })
}

const decided = (
  { expected }: Context,
  file: SourceFile,
  entry: LedgerEntry | null
): Effect.Effect<Changes.Verdict | Planned> => {
  const decision = Changes.decide(entry, file, expected)
  if (decision._tag !== "NeedsHash") return Effect.succeed(decision)
  return Effect.match(fileHash(file), {
    onFailure: (error): Planned => ({ source: file.path, action: "failed", reason: error.message }),
    onSuccess: (hash) => Changes.decideByContent(entry, hash, expected)
  })
}

const planned = (
  context: Context & { readonly parsed: Set<string> },
  file: SourceFile,
  entry: LedgerEntry | null,
  verdict: Changes.Verdict
): Effect.Effect<Planned, Failure, Tokenizer> => {
  const source = file.path
  if (verdict._tag === "Unchanged") return Effect.succeed({ source, action: "unchanged" })
  if (verdict._tag === "KnownFailure") {
    const { error } = verdict.failure
    return Effect.succeed({
      source,
      action: "failed",
      reason: `failed before and is not sent again: ${tagOf(error)}: ${error.message}`
    })
  }
  const action = (entry?.stored ?? null) === null ? "new" : "changed"
  const reason = reasons[verdict.reason]
  const exact = Effect.flatMap(readHere(context, file), (read) =>
    read === null ? known(context, file, entry, verdict) : Effect.succeed(read)
  )
  const sent = Effect.flatMap(exact, (cached): Effect.Effect<Planned> => {
    if (cached !== null) return Effect.succeed({ source, action, reason, ...cached })
    // Nothing is paid for metadata alone.
    if (verdict._tag === "Rechunk" && verdict.reason === "annotations") {
      return Effect.succeed({ source, action: "unchanged" })
    }
    const bytes = `${verdict.contentHash} ${Option.getOrElse(typeOf(file.path), () => "")}`
    const again = context.terms.retain && context.parsed.has(bytes)
    context.parsed.add(bytes)
    return Effect.map(pagesOf(context.counter)(file), (counted) => {
      const { credits, pages } = context.terms.worstCase(
        file,
        Option.getOrElse(counted, () => 1)
      )
      return {
        source,
        action,
        reason: [reason, tooSlow(context.terms, pages)].filter((one) => one !== undefined).join("; ") || undefined,
        pages,
        credits: again ? 0 : credits,
        tokens: tokensOf(file, pages),
        fromCache: again,
        estimated: Option.isNone(counted) ? ["pages", "credits", "tokens"] : ["credits", "tokens"]
      }
    })
  })
  const unparsed = (error: ParseError): Effect.Effect<Planned> =>
    Effect.succeed({ source, action: "failed", reason: error.message })
  return Effect.catchIf(sent, isParseError, unparsed)
}

const isParseError = (error: ParseError | Failure): error is ParseError =>
  error._tag !== "LedgerError" && error._tag !== "ParseCacheError"

/** Pages a second that a service certainly reads, without OCR. */
const leastPace = 20

const tooSlow = ({ means }: Terms, pages: number): string | undefined => {
  const timeout = means?.timeout ?? null
  return timeout === null || pages <= (leastPace * timeout) / 1000
    ? undefined
    : `${pages} pages may take longer than the \`timeout\` of ${timeout} ms`
}

/** Exact figures of a file that is read on this machine; null for another. Fails as its reading would. */
const readHere = ({ chunker, parser }: Context, file: SourceFile): Effect.Effect<Costs | null, ParseError, Tokenizer> =>
  Effect.gen(function* () {
    if (parser.readsHere === undefined || !(yield* parser.readsHere(file))) return null
    const tokens = yield* tokensOfChunks(chunker, yield* parser.parse(file, {}))
    return { pages: 1, credits: 0, tokens, fromCache: false }
  })

/** Tokens of the chunks of a document; 0 for one that cannot be split. */
const tokensOfChunks = (chunker: Chunker, document: ParsedDocument): Effect.Effect<number, never, Tokenizer> =>
  Effect.match(chunker.chunk(document), {
    onFailure: () => 0,
    onSuccess: ({ chunks }) => chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  })

const reasons: Readonly<Record<Changes.RechunkReason | Changes.ReparseReason, string | undefined>> = {
  new: undefined,
  content: "its bytes changed",
  options: "the parse options changed",
  means: "what its answer lacked can be read now",
  failed: "it failed before",
  asked: "asked for",
  configuration: "the chunker changed",
  annotations: "the metadata of its chunks changed",
  embedder: "the embedder changed",
  sinks: "not in every sink"
}

type Costs = Pick<Planned, "pages" | "credits" | "tokens" | "fromCache">

/** The exact answer of cache and ledger; null when the file would be parsed. */
const known = (
  { cache, chunker, expected, parser, terms }: Context,
  file: SourceFile,
  entry: LedgerEntry | null,
  verdict: Extract<Changes.Verdict, { readonly _tag: "Rechunk" | "Reparse" }>
): Effect.Effect<Costs | null, Failure | ParseError, Tokenizer> =>
  Effect.gen(function* () {
    if (!terms.retain || expected.redo === "parses") return null
    const { contentHash: hash } = verdict
    const identity = verdict._tag === "Rechunk" ? verdict.identity : expected.identity
    const type = Option.getOrNull(typeOf(file.path))
    if (type === null) return null
    const key: CacheKey = { contentHash: hash, type, optionsHash: expected.optionsHash, identity }
    if (Option.isNone(yield* cache.createdAt(key))) return null
    const report = entry?.stored?.report
    if (verdict._tag === "Rechunk" && verdict.reason !== "configuration" && report !== undefined) {
      return { pages: Math.max(1, report.pages), credits: 0, tokens: report.tokens, fromCache: true }
    }
    const known = { contentHash: hash, identity, paying: notCached }
    const document = yield* Effect.catchIf(
      Effect.provideService(parser.parse(file, {}), CurrentFile, known),
      isNotCached,
      () => Effect.succeed(null)
    )
    if (document === null) return null
    return {
      pages: Math.max(1, pageCount(document)),
      credits: 0,
      tokens: yield* tokensOfChunks(chunker, document),
      fromCache: true
    }
  })
