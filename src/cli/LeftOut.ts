/** The types of the files that a run leaves out, and how to take them in. */
import { archiveKind } from "../internal/base/archiveKind.ts"
import { containerKind } from "../internal/base/containerKind.ts"
import { counted } from "../internal/base/figures.ts"
import { isPicture } from "../internal/base/pictureType.ts"
import { Readers } from "../Readers.ts"

/** Types that are named; the others are counted. */
const shown = 8

type Counted = readonly [extension: string, count: number]

const sum = (types: ReadonlyArray<Counted>): number => types.reduce((total, [, count]) => total + count, 0)

/** Types of texts that people write, none of which is read unless it is named. */
const texts: ReadonlySet<string> = new Set(
  (
    "astro bash bat bib c cc cfg clj cljs cmake cmd conf cpp cs css dart diff el ex exs f90 fish fs go gradle graphql groovy h hpp hs " +
    "ini java jl js jsx kt less lua m mjs cjs ml mts cts nim nix pas patch php pl pm po proto ps1 py pyi r rb rs sass scala scss sh sql " +
    "srt strings sv svelte swift tcl tex tf toml ts tsx v vb vhd vim vtt vue zig zsh properties editorconfig"
  ).split(" ")
)

/** The word with which files of a type are read; empty for a type that nothing reads. */
const wordOf = (type: string): string => {
  if (containerKind(type) !== undefined) return ` (with --expand ${containerKind(type)})`
  const archive = archiveKind(type)
  if (archive !== undefined) return ` (as ${archive}:FILE)`
  return texts.has(type) || isPicture(type) ? ` (with --types +${type})` : ""
}

const named = (types: ReadonlyArray<Counted>, word: (type: string) => string): string => {
  const sorted = frequent(types)
  const rest = sorted.slice(shown)
  return [
    ...sorted
      .slice(0, shown)
      .map(([type, count]) => (type === "" ? `${count} without a type` : `${count} .${type}${word(type)}`)),
    ...(rest.length === 0 ? [] : [`${sum(rest)} of ${rest.length} other types`])
  ].join(", ")
}

/** Without readers of a program: those of `--types` are of types that are taken. */
const { whoReads } = Readers.defaultValue()

const isRead = (type: string): boolean => whoReads(type) !== undefined

const frequent = (types: ReadonlyArray<Counted>): ReadonlyArray<Counted> =>
  types.toSorted(([left, more], [right, less]) => less - more || (left < right ? -1 : 1))

/** One line for types that nothing reads, each with the word that would, and one for those that `--types` leaves out. */
export const lines = (types: Readonly<Record<string, number>> = {}): ReadonlyArray<string> => {
  const all = Object.entries(types)
  const unread = all.filter(([type]) => !isRead(type))
  const limited = all.filter(([type]) => isRead(type))
  return [
    ...(unread.length === 0
      ? []
      : [`${counted(sum(unread), "file")} of types that are not read: ${named(unread, wordOf)}`]),
    ...(limited.length === 0
      ? []
      : [`${counted(sum(limited), "file")} that --types leaves out: ${named(limited, () => "")}`])
  ]
}
