/** The types of the files that a run leaves out, and how to take them in. */
import { builtIn } from "../Readers.ts"
import * as FileType from "../service/FileType.ts"

/** Types that are named; the others are counted. */
const shown = 8

type Counted = readonly [extension: string, count: number]

const sum = (types: ReadonlyArray<Counted>): number => types.reduce((total, [, count]) => total + count, 0)

const files = (count: number): string => `${count} file${count === 1 ? "" : "s"}`

const named = (types: ReadonlyArray<Counted>): string => {
  const sorted = types.toSorted(([left, more], [right, less]) => less - more || (left < right ? -1 : 1))
  const rest = sorted.slice(shown)
  return [
    ...sorted.slice(0, shown).map(([type, count]) => (type === "" ? `${count} without a type` : `${count} .${type}`)),
    ...(rest.length === 0 ? [] : [`${sum(rest)} of ${rest.length} other types`])
  ].join(", ")
}

const isRead = (type: string): boolean => FileType.isExtension(type) || builtIn.includes(type)

/** One line for types that nothing reads, and one for those that `--types` leaves out. */
export const lines = (types: Readonly<Record<string, number>> = {}): ReadonlyArray<string> => {
  const all = Object.entries(types)
  const unread = all.filter(([type]) => !isRead(type))
  const limited = all.filter(([type]) => isRead(type))
  const [example] = unread.find(([type]) => type !== "") ?? []
  const remedy =
    example === undefined
      ? ""
      : `; --types +${example} reads such files as plain text, a program any by a reader of its own`
  return [
    ...(unread.length === 0 ? [] : [`${files(sum(unread))} of types that are not read: ${named(unread)}${remedy}`]),
    ...(limited.length === 0 ? [] : [`${files(sum(limited))} that --types leaves out: ${named(limited)}`])
  ]
}
