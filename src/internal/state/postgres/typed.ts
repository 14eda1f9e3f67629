/** A ledger's methods with another error. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Preview, RunLedger, Scan } from "../ledger/runLedger.ts"
import type { Service } from "./ledger.ts"

const scanOf = <E, E2>(scan: Scan<E>, map: (error: E) => E2): Scan<E2> => ({
  scope: scan.scope,
  documents: scan.documents,
  claimed: scan.claimed,
  completedAt: scan.completedAt,
  see: (files) => Effect.mapError(scan.see(files), map),
  vanished: Stream.mapError(scan.vanished, map),
  release: Stream.mapError(scan.release, map),
  complete: (at) => Effect.mapError(scan.complete(at), map),
  end: Effect.mapError(scan.end, map)
})

const previewOf = <E, E2>(preview: Preview<E>, map: (error: E) => E2): Preview<E2> => ({
  claimed: preview.claimed,
  see: (files) => Effect.mapError(preview.see(files), map),
  vanished: Stream.mapError(preview.vanished, map),
  gone: Effect.mapBoth(preview.gone, {
    onFailure: map,
    onSuccess: ({ kept, unclaimed }) => ({
      kept: Stream.mapError(kept, map),
      unclaimed: Stream.mapError(unclaimed, map)
    })
  })
})

export const run = <E, E2>(of: RunLedger<E>, map: (error: E) => E2): RunLedger<E2> => {
  const typed = Effect.mapError(map)
  return {
    state: typed(of.state),
    belief: (sink) => typed(of.belief(sink)),
    admit: (request, newRoot) => typed(of.admit(request, newRoot)),
    scan: (request, expected) => Effect.map(typed(of.scan(request, expected)), (scan) => scanOf(scan, map)),
    preview: (request, expected) =>
      Effect.map(typed(of.preview(request, expected)), (preview) => previewOf(preview, map)),
    hold: (key) => typed(of.hold(key)),
    letGo: (key) => typed(of.letGo(key)),
    stray: (key, ids, sinks, how) => typed(of.stray(key, ids, sinks, how)),
    announce: (key, ids, sinks, scope, how) => typed(of.announce(key, ids, sinks, scope, how)),
    commit: (entry) => typed(of.commit(entry)),
    touch: (key, sighting, scope) => typed(of.touch(key, sighting, scope)),
    fail: (key, failure, scope) => typed(of.fail(key, failure, scope)),
    forgive: (key) => typed(of.forgive(key)),
    removals: (sinks) => Stream.mapError(of.removals(sinks), map),
    removed: (removal) => typed(of.removed(removal)),
    unclaimed: (root, sinks) => Stream.mapError(of.unclaimed(root, sinks), map),
    forget: (key, sinks) => typed(of.forget(key, sinks)),
    disown: (key, sinks) => typed(of.disown(key, sinks)),
    startRun: (at, request) => typed(of.startRun(at, request)),
    finishRun: (id, at, summary, report) => typed(of.finishRun(id, at, summary, report))
  }
}

export const service = <E, E2>(of: Service<E>, map: (error: E) => E2): Service<E2> => {
  const typed = Effect.mapError(map)
  return {
    claims: (request) => typed(of.claims(request)),
    get: (key) => typed(of.get(key)),
    sameContent: (contentHash, optionsHash) => typed(of.sameContent(contentHash, optionsHash)),
    holding: (key) => typed(of.holding(key)),
    sinks: typed(of.sinks),
    entries: (selection) => Stream.mapError(of.entries(selection), map),
    requests: typed(of.requests),
    lastRun: typed(of.lastRun),
    reports: typed(of.reports),
    stats: typed(of.stats)
  }
}
