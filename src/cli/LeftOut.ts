/** The types of the files that a run leaves out, and how to take them in. */
import { archiveKind } from "../internal/base/archiveKind.ts"
import { counted } from "../internal/base/figures.ts"
import { Readers } from "../Readers.ts"

/** Types that are named; the others are counted. */
const shown = 8

type Counted = readonly [extension: string, count: number]

const sum = (types: ReadonlyArray<Counted>): number => types.reduce((total, [, count]) => total + count, 0)

const named = (types: ReadonlyArray<Counted>): string => {
  const sorted = frequent(types)
  const rest = sorted.slice(shown)
  return [
    ...sorted.slice(0, shown).map(([type, count]) => (type === "" ? `${count} without a type` : `${count} .${type}`)),
    ...(rest.length === 0 ? [] : [`${sum(rest)} of ${rest.length} other types`])
  ].join(", ")
}

/** Types of texts that people write, none of which is read unless it is named. */
const texts: ReadonlySet<string> = new Set(
  (
    "astro bash bat bib c cc cfg clj cljs cmake cmd conf cpp cs css dart diff el ex exs f90 fish fs go gradle graphql groovy h hpp hs " +
    "ini java jl js jsx kt less lua m mjs cjs ml mts cts nim nix pas patch php pl pm po proto ps1 py pyi r rb rs sass scala scss sh sql " +
    "srt strings sv svelte swift tcl tex tf toml ts tsx v vb vhd vim vtt vue zig zsh properties editorconfig"
  ).split(" ")
)

/** Texts that are named as examples. */
const examples = 2

/** Without readers of a program: those of `--types` are of types that are taken. */
const { whoReads } = Readers.defaultValue()

const isRead = (type: string): boolean => whoReads(type) !== undefined

const frequent = (types: ReadonlyArray<Counted>): ReadonlyArray<Counted> =>
  types.toSorted(([left, more], [right, less]) => less - more || (left < right ? -1 : 1))

/** What helps against types that nothing reads: only for texts, of which the most frequent are named, and for archives. */
const remedies = (unread: ReadonlyArray<Counted>): ReadonlyArray<string> => {
  const named = frequent(unread.filter(([type]) => texts.has(type)))
    .slice(0, examples)
    .map(([type]) => `+${type}`)
  const archives = new Set(unread.flatMap(([type]) => archiveKind(type) ?? []))
  return [
    ...(named.length === 0 ? [] : [`--types ${named.join(",")} reads such files as plain text`]),
    ...[...archives].map((kind) => `ingest ${kind}:FILE reads what is in an archive`)
  ]
}

/** One line for types that nothing reads, and one for those that `--types` leaves out. */
export const lines = (types: Readonly<Record<string, number>> = {}): ReadonlyArray<string> => {
  const all = Object.entries(types)
  const unread = all.filter(([type]) => !isRead(type))
  const limited = all.filter(([type]) => isRead(type))
  const remedy = remedies(unread)
    .map((one) => `; ${one}`)
    .join("")
  return [
    ...(unread.length === 0
      ? []
      : [`${counted(sum(unread), "file")} of types that are not read: ${named(unread)}${remedy}`]),
    ...(limited.length === 0 ? [] : [`${counted(sum(limited), "file")} that --types leaves out: ${named(limited)}`])
  ]
}
