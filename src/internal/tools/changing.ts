/** The tools `ingest` and `remove`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { most } from "./contract.ts"
import * as Fence from "./fence.ts"
import { rootsOf } from "./looking.ts"
import { Progress, type Settings } from "./settings.ts"
import * as ToolErrors from "./toolError.ts"

/** True for a path or a glob that stays below the folder it is for. */
const isBelow = (pattern: string): boolean =>
  !/^(?:[/\\~]|[A-Za-z]:)/u.test(pattern) &&
  !/(?:^|[/\\{,(|])\.\.(?:$|[/\\},)|])/u.test(pattern) &&
  !pattern.includes("\0")

export const ingest =
  (settings: Settings) =>
  ({ patterns, root }: { readonly root: string; readonly patterns?: ReadonlyArray<string> | undefined }) =>
    Effect.gen(function* () {
      const roots = yield* rootsOf(settings)
      const folder = roots.get(root)
      if (folder === undefined) {
        const known = [...roots.keys()].map((name) => JSON.stringify(name)).join(", ")
        return yield* ToolErrors.make(
          "Arguments",
          "The server has no folder of this name.",
          known === "" ? "Tell the user to start it with --root NAME=DIR." : `It has ${known}.`
        )
      }
      const out = patterns?.find((pattern) => !isBelow(pattern))
      if (out !== undefined) {
        return yield* ToolErrors.make(
          "Arguments",
          `The pattern ${JSON.stringify(Fence.named(out))} leads out of the folder.`,
          "Give paths or globs below it, without `..`."
        )
      }
      const progress = yield* Effect.serviceOption(Progress)
      const files = { root: folder, name: root, ...(patterns !== undefined && patterns.length > 0 && { patterns }) }
      const summary = yield* ToolErrors.ofCorpus(
        settings.corpus.ingest(
          files,
          Option.isNone(progress)
            ? {}
            : {
                onProgress: ({ complete, discovered, finished, outcome }) =>
                  progress.value({
                    done: finished,
                    total: complete ? discovered : null,
                    message: Fence.named(outcome.source)
                  })
              }
        )
      )
      const { failed, failures, stored, unchanged, unsupported } = summary
      return {
        stored,
        unchanged,
        failed,
        unsupported,
        failures: failures
          .slice(0, most.documents)
          .map(({ source, tag }) => ({ source: Fence.named(source), reason: Fence.named(tag) }))
      }
    })

export const remove =
  ({ corpus, documents }: Settings) =>
  ({ source }: { readonly source: string }) =>
    Effect.gen(function* () {
      const { chunks, documentId, source: path } = yield* documents.find(source)
      yield* ToolErrors.ofCorpus(corpus.remove(documentId))
      return { source: path, passages: chunks }
    })
