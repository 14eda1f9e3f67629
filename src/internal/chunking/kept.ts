/** What a chunker takes over from the configuration of an earlier one: the settings that it was not told itself. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeChoosing } from "./identity.ts"

/** Settings of any strategy. */
const budget = {
  maxTokens: Schema.optional(Schema.Int),
  minTokens: Schema.optional(Schema.Int),
  overlapTokens: Schema.optional(Schema.Int),
  childTokens: Schema.optional(Schema.Int),
  /** Name of the template of the context. */
  context: Schema.optional(Schema.String)
} as const

const Budget = Schema.Struct(budget)

const Members = Schema.Struct({
  ...budget,
  sections: Schema.optional(Schema.Boolean),
  pageBoundaries: Schema.optional(Schema.Literal("hard", "soft")),
  pages: Schema.optional(Schema.Literal("markers", "pages", "auto")),
  furniture: Schema.optional(Schema.Boolean),
  minConfidence: Schema.optional(Schema.Number)
})

export type Kept = typeof Members.Type

/** A strategy with its settings. */
interface Part {
  readonly name: string
  readonly members: Readonly<Record<string, unknown>>
}

const Single = Schema.parseJson(Schema.Tuple([Schema.String], Schema.Tuple(Schema.String, Schema.Unknown)))
const Mapped = Schema.parseJson(Schema.Tuple(Schema.Literal("mapped"), Schema.String, Schema.String, Schema.String))

const decodeSingle = Schema.decodeOption(Single)
const decodeMapped = Schema.decodeOption(Mapped)
const decodeMembers = Schema.decodeUnknownOption(Members)
const decodeBudget = Schema.decodeUnknownOption(Budget)

/** The strategy without the steps around it. */
const innermost = (configuration: string): string =>
  Option.match(decodeMapped(configuration), { onNone: () => configuration, onSome: ([, , inner]) => innermost(inner) })

const partsOf = (configuration: string): ReadonlyArray<Part> => {
  const inner = innermost(configuration)
  const all = Option.match(decodeChoosing(inner), { onNone: () => [inner], onSome: ([, ...chosen]) => chosen })
  return all.flatMap((one) =>
    Option.match(decodeSingle(one), {
      onNone: () => [],
      onSome: ([name, ...members]) => [{ name, members: Object.fromEntries(members) }]
    })
  )
}

/** The settings of the strategy in a configuration of this package; of another strategy its budget; nothing of other chunkers. */
export const of = (name: string, configuration: string): Kept => {
  const parts = partsOf(configuration)
  const own = parts.find((part) => part.name === name)
  return Option.getOrElse(
    own === undefined ? decodeBudget(parts[0]?.members) : decodeMembers(own.members),
    (): Kept => ({})
  )
}

/** Name of the strategy of a configuration; undefined for a chunker that is not of this package. */
export const strategyOf = (configuration: string): string | undefined => {
  const inner = innermost(configuration)
  return Option.isSome(decodeChoosing(inner)) ? "auto" : partsOf(inner)[0]?.name
}

/** The settings in which the first configuration differs from the second, such as `maxTokens 64 instead of 512`. */
export const differences = (kept: string, own: string): ReadonlyArray<string> => {
  const [from, to] = [strategyOf(own), strategyOf(kept)]
  const named = from === to ? [] : [`${to} instead of ${from}`]
  const others = partsOf(own)
  const members = partsOf(kept).flatMap(({ members, name }) => {
    const other = others.find((part) => part.name === name) ?? others[0]
    const names = from === to ? Object.keys(members) : Object.keys(budget)
    return names.flatMap((member) =>
      other === undefined || members[member] === other.members[member]
        ? []
        : [`${member} ${String(members[member])} instead of ${String(other.members[member])}`]
    )
  })
  return [...new Set([...named, ...members])]
}
