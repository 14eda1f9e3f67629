/**
 * Root of a run over addresses. It is a root that the state knows and that holds all of them, else the deepest one that
 * does: a later run that names fewer of them has the same root, and documents keep their ids.
 */
import * as Either from "effect/Either"
import { option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import * as ObjectPlace from "./objectPlace.ts"
import * as ObjectTarget from "./objectTarget.ts"
import type { Known } from "./runRoot.ts"

export interface AddressRoot {
  /** Address, with a slash at its end where it is a folder of a bucket. */
  readonly root: string
  /** Name of a root that the state knows; undefined for a new one. */
  readonly name: string | undefined
  /** Names and globs below the root; those that exclude are unchanged. */
  readonly patterns: ReadonlyArray<string>
}

/** The address by which the state knows a root. */
const keptAs = (root: string, endpoint: string | undefined): string =>
  ObjectTarget.make({ root, endpoint })?.scope.path ?? root

/** The root for paths of which one is an address. */
export const choose = (
  paths: ReadonlyArray<string>,
  endpoint: string | undefined,
  known: ReadonlyArray<Known>
): Either.Either<AddressRoot, OptionError> =>
  Either.gen(function* () {
    const place = yield* Either.mapLeft(
      ObjectPlace.of(paths),
      (words) => new OptionError({ option: null, problem: words })
    )
    const whole = keptAs(place.root, endpoint)
    const roots = known.flatMap((root) => (root.path === null ? [] : [{ ...root, path: root.path }]))
    const held = roots
      .filter(({ path }) => path === whole || (path.endsWith("/") && whole.startsWith(path)))
      .toSorted((left, right) => right.path.length - left.path.length)[0]
    const inside = roots.find(({ documents, path }) => documents > 0 && path !== whole && path.startsWith(whole))
    if (ObjectTarget.isStore(place.root) && held === undefined && inside !== undefined) {
      const inner = `${place.root}${inside.path.slice(whole.length)}`
      const words = text`the documents of ${inner}, which is the root ${JSON.stringify(inside.name)}, would be stored a second time below ${place.root}; give ${option("root")} ${inner} for those, or ${option("root")} ${place.root} if that is meant`
      return yield* Either.left(new OptionError({ option: null, ...problem(words) }))
    }
    const root =
      held === undefined ? place.root : place.root.slice(0, place.root.length - whole.length + held.path.length)
    return { root, name: held?.name, patterns: place.below(root) }
  })
