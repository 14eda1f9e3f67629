/** The items of a drive as the last run knew them, with the address at which the service tells what changed since. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { sha256 } from "../base/sha256.ts"
import { inHome } from "../objects/environment.ts"
import * as PrivateFile from "./privateFile.ts"
import { Item } from "./service.ts"

/** Size of an export, and the version that it is of. */
const Exported = Schema.Struct({ id: Schema.String, version: Schema.String, size: Schema.NonNegativeInt })

const Listing = Schema.parseJson(
  Schema.Struct({
    version: Schema.Literal(1),
    later: Schema.String,
    items: Schema.Array(Item),
    exported: Schema.Array(Exported)
  })
)

/** A listing that is kept for the next run. A file holds one whole listing, so that it is sound whoever wrote it last. */
export interface Remembered {
  /** Address of what changed since; null where nothing is remembered. */
  later: string | null
  /** By id. */
  items: Map<string, Item>
  /** Sizes of exports by id. */
  readonly exported: Map<string, typeof Exported.Type>
}

/** The file of a drive. */
export const fileOf = (cache: string | undefined, ...drive: ReadonlyArray<string>): string => {
  const name = `${sha256(drive.join(" ")).slice(0, 24)}.json`
  return cache === undefined ? inHome("XDG_CACHE_HOME", ".cache", "drive", name) : `${cache}/${name}`
}

const byId = <A extends { readonly id: string }>(all: ReadonlyArray<A>): Map<string, A> =>
  new Map(all.map((one) => [one.id, one]))

/** What is remembered; nothing where the file is not there, or cannot be read. */
export const load = (file: string): Effect.Effect<Remembered> =>
  Effect.promise(() => PrivateFile.read(file).catch(() => null)).pipe(
    Effect.map((text) => Schema.decodeUnknownOption(Listing)(text)),
    Effect.map(
      Option.match({
        onNone: (): Remembered => ({ later: null, items: new Map(), exported: new Map() }),
        onSome: ({ exported, items, later }): Remembered => ({ later, items: byId(items), exported: byId(exported) })
      })
    )
  )

/** Keeps the listing; a file that cannot be written costs the next run a whole listing. */
export const save = (file: string, { exported, items, later }: Remembered): Effect.Effect<void> =>
  later === null
    ? Effect.void
    : Schema.encode(Listing)({
        version: 1,
        later,
        items: [...items.values()],
        exported: [...exported.values()].filter(({ id }) => items.has(id))
      }).pipe(
        Effect.flatMap((text) => Effect.tryPromise(() => PrivateFile.write(file, text))),
        Effect.catchAll(() =>
          Effect.logWarning(`${file} cannot be written, so that the next run lists all of the drive again`)
        )
      )
