/** `--allow`: what the runs of a queue may use on a worker. A message of the queue names nothing else. */
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Description } from "../internal/corpus/description.ts"
import * as Address from "../internal/target/address.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import * as SinkTarget from "../internal/target/sinkTarget.ts"
import { embedderKinds } from "../internal/target/spelling.ts"
import { type Refused, UsageError } from "./UsageError.ts"

export interface Allowed {
  /** Targets, with their credentials. */
  readonly targets: ReadonlyArray<SinkTarget.SinkTarget>
  /** Real paths of folders. */
  readonly folders: ReadonlyArray<string>
  /** Addresses of object stores, services and embedders, models and hosts, as they were given. */
  readonly others: ReadonlyArray<string>
}

const kinds = new RegExp(`^(${SinkTarget.names.join("|")}):`, "u")

/** A host, a network or an address without a scheme, as `--allow-private` takes it. */
const host = /^[\w.[\]-]*[.:][\w.:[\]-]*(\/\d+)?$/u

/** Embedders that send and load nothing. A model of this process is downloaded by its name, so it is allowed by name. */
const harmless: ReadonlySet<string> = new Set(["none", "hash"])

const real = (path: string): string | null => {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** A service or an embedder. */
const address = new RegExp(`^(?:https?://|(?:${embedderKinds.join("|")}):)`, "u")

/** Reads the values of the flag. */
export const parse = (given: ReadonlyArray<string>): Effect.Effect<Allowed, Refused, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const targets: Array<SinkTarget.SinkTarget> = []
    const folders: Array<string> = []
    const others: Array<string> = []
    for (const one of given) {
      if (kinds.test(one)) targets.push(yield* SinkTarget.parse(one, process.env))
      else if (ObjectTarget.isAddress(one) || address.test(one)) others.push(one)
      else {
        const folder = real(one)
        if (folder === null && host.test(one)) {
          others.push(one)
          continue
        }
        if (folder === null) {
          return yield* new UsageError({
            problem: `--allow: there is no folder ${one}, and it is no target or address`
          })
        }
        folders.push(folder)
      }
    }
    return { targets, folders, others }
  })

const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)

/** A step to the same or the folder above, which would lead out of an address that only begins like an allowed one. */
const steps = /(?:^|[:/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/iu

/** Folder of all files that a path of a run can mean: what stands before the first segment with a glob. */
const staticPart = (path: string): string => path.replace(/[^/]*[*?{[(].*$/su, "")

/** What the run would read that is not allowed: its root, or paths of a root that has an allowed folder in it. */
const unread = (
  { folders, others }: Allowed,
  { filesFrom = [], patterns = [], root }: Description
): ReadonlyArray<string> => {
  if (ObjectTarget.isAddress(root)) {
    return !steps.test(root) && others.some((one) => within(root, one.replace(/\/$/u, ""))) ? [] : [root]
  }
  const path = real(root)
  if (path === null) return [root]
  if (folders.some((folder) => within(path, folder))) return []
  if (!folders.some((folder) => within(folder, path))) return [root]
  const wanted = [...patterns, ...filesFrom]
    .filter((one) => !one.startsWith("!"))
    .map((one) => resolve(path, staticPart(one)))
  return [...new Set(wanted)].filter((one) => !folders.some((folder) => within(real(one) ?? one, folder))).slice(0, 3)
}

/** Fails for a document of a root outside of what is allowed. Links below an allowed folder lead where they lead. */
export const checkFile = ({ folders }: Allowed, root: string, path: string): Effect.Effect<void, UsageError> => {
  const address = ObjectTarget.isAddress(root)
  const file = address ? `${root}/${path}` : resolve(real(root) ?? root, path)
  return (address ? !steps.test(path) : folders.some((folder) => within(file, folder)))
    ? Effect.void
    : new UsageError({ problem: `not allowed here: ${file}; give --allow with its folder to the worker` })
}

const same = (left: string, right: string): boolean => left.replace(/\/$/u, "") === right.replace(/\/$/u, "")

/** Fails for a run that wants something else, with all that it wants; addresses of a run hold no credentials. */
export const check = (allowed: Allowed, run: Description): Effect.Effect<void, UsageError> => {
  const { allowPrivate = [], embedder = "none", endpoint, model, service = "embedded", to = [] } = run
  const other = (address: string): ReadonlyArray<string> =>
    allowed.others.some((one) => same(one, address)) ? [] : [address]
  const lacking = [
    ...unread(allowed, run),
    ...to.filter((address) => !allowed.targets.some(({ kept }) => Address.same(kept.address, address))),
    ...(service === "embedded" ? [] : other(service)),
    ...(harmless.has(embedder) ? [] : other(embedder)),
    ...[model, endpoint].flatMap((address) => (address === undefined ? [] : other(address))),
    ...allowPrivate.flatMap(other)
  ]
  return lacking.length === 0
    ? Effect.void
    : new UsageError({ problem: `not allowed here: ${lacking.join(", ")}; give --allow for each` })
}
