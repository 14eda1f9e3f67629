/** The tools `ingest` and `remove`. */
import * as fs from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HitPlace from "../look/hitPlace.ts"
import { most } from "./contract.ts"
import * as Fence from "./fence.ts"
import { rootsOf } from "./looking.ts"
import { Progress, type Settings } from "./settings.ts"
import * as ToolErrors from "./toolError.ts"

/** True for a path or a glob that names nothing outside of the folder it is for. */
const isBelow = (pattern: string): boolean =>
  !/^(?:[/\\~!]|[A-Za-z]:)/u.test(pattern) &&
  [pattern, pattern.replaceAll("\\", "")].every((one) => !/(?:^|[/\\,(|])\.\.(?:$|[/\\,)|])/u.test(one)) &&
  !pattern.includes("\0")

/** Braces multiply, so that a short pattern may name more than there is memory for, and with `+(` matching may never end. */
const isPlain = (pattern: string): boolean => !/[{}]|[@!+*?]\(/u.test(pattern)

/** True if no link leads out of the folder as far as the path, or what a glob begins with, is there. */
const staysBelow = (folder: string, pattern: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const segments = pattern.split("/")
    const paths = [folder, ...segments.map((_, at) => join(folder, ...segments.slice(0, at + 1)))]
    const [root, ...there] = await Promise.all(paths.map((path) => fs.realpath(path).catch(() => undefined)))
    return there.every((one) => one === undefined || one === root || HitPlace.isInside(root ?? folder, one))
  })

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
          known === "" ? "Tell the user to start it with a folder for each root." : `It has ${known}.`
        )
      }
      const unclear = patterns?.find((pattern) => !isPlain(pattern))
      if (unclear !== undefined) {
        return yield* ToolErrors.make(
          "Arguments",
          `The pattern ${JSON.stringify(Fence.named(unclear))} has braces, or a group with a sign before it.`,
          "Give several patterns instead, with *, ** and ? alone."
        )
      }
      const leaves = (pattern: string) =>
        isBelow(pattern) ? Effect.negate(staysBelow(folder, pattern)) : Effect.succeed(true)
      const out = Option.getOrUndefined(yield* Effect.findFirst(patterns ?? [], leaves))
      if (out !== undefined) {
        return yield* ToolErrors.make(
          "Arguments",
          `The pattern ${JSON.stringify(Fence.named(out))} leads out of the folder.`,
          "Give paths or globs below it, without `..` and links out of it."
        )
      }
      const progress = yield* Effect.serviceOption(Progress)
      const files = { root: folder, name: root, ...(patterns !== undefined && patterns.length > 0 && { patterns }) }
      const summary = yield* ToolErrors.ofCorpus(
        settings.corpus
          .ingest(
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
          .pipe(Effect.ensuring(settings.documents.forget))
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
      yield* ToolErrors.ofCorpus(corpus.remove(documentId).pipe(Effect.ensuring(documents.forget)))
      return { source: path, passages: chunks }
    })
