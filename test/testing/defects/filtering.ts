import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filter from "docsluice/Filter"
import { Effect, Either } from "effect"
import { calls, type Defect } from "./Defect.ts"
import { type Plant, ranked } from "./honest.ts"
import { all, searching } from "./searching.ts"

type Condition = Filter.Condition
type Leaf<Tag extends Condition["_tag"]> = Extract<Condition, { readonly _tag: Tag }>
type Fits = (condition: Condition) => boolean

/** Holds as an honest condition does, but where `spoil` has an answer of its own; `fits` is the whole, for its parts. */
const holds = (
  condition: Condition,
  chunk: DocumentChunk,
  spoil: (condition: Condition, chunk: DocumentChunk, fits: Fits) => boolean | undefined
): boolean => {
  const fits: Fits = (part) => holds(part, chunk, spoil)
  const spoilt = spoil(condition, chunk, fits)
  if (spoilt !== undefined) return spoilt
  switch (condition._tag) {
    case "And":
      return condition.parts.every(fits)
    case "Or":
      return condition.parts.some(fits)
    case "Not":
      return !fits(condition.part)
    default:
      return Filter.matches(condition, chunk)
  }
}

const spoilt = (spoil: Parameters<typeof holds>[2]): Plant =>
  searching((query, parts) => {
    const { filter, ...asked } = query
    const condition = filter === undefined ? null : Either.getOrThrow(Filter.parse(filter)).condition
    const chunks = all(parts).filter((chunk) => condition === null || holds(condition, chunk, spoil))
    return ranked(chunks, asked).slice(0, query.limit)
  })

/** Spoils the conditions of one kind. */
const spoiling = <Tag extends Condition["_tag"]>(
  tag: Tag,
  spoil: (condition: Leaf<Tag>, chunk: DocumentChunk, fits: Fits) => boolean | undefined
): Plant => {
  const isOne = (condition: Condition): condition is Leaf<Tag> => condition._tag === tag
  return spoilt((condition, chunk, fits) => (isOne(condition) ? spoil(condition, chunk, fits) : undefined))
}

const valueOf = ({ subject }: { readonly subject: Filter.Subject }, { metadata }: DocumentChunk) =>
  subject.name === "metadata" ? metadata[subject.key] : undefined

/** Compares texts of metadata in a way of its own. */
const comparing = (same: (value: string, wanted: string) => boolean): Plant =>
  spoiling("In", (condition, chunk) => {
    const value = valueOf(condition, chunk)
    return typeof value === "string" ? condition.texts.some((wanted) => same(value, wanted)) : undefined
  })

const equal = "filters texts by equality, not by similarity"
const apart = "keeps texts, numbers and booleans apart, and mixes none of them up"
const literally = "takes names and texts of a filter literally, whatever they are made of"

export const filtering: ReadonlyArray<Defect> = [
  { name: "ignores the filter", caughtBy: equal, plant: spoilt(() => true) },
  {
    name: "filters without looking at case",
    caughtBy: equal,
    plant: comparing((value, wanted) => value.toLowerCase() === wanted.toLowerCase())
  },
  { name: "filters by the beginning", caughtBy: equal, plant: comparing((value, wanted) => value.startsWith(wanted)) },
  { name: "filters by a part", caughtBy: equal, plant: comparing((value, wanted) => value.includes(wanted)) },
  {
    name: "composes letters and accents before it compares",
    caughtBy: equal,
    plant: comparing((value, wanted) => value.normalize("NFC") === wanted.normalize("NFC"))
  },
  {
    name: "lets chunks pass that lack the member",
    caughtBy: equal,
    plant: spoiling("In", (condition, chunk) => (valueOf(condition, chunk) === undefined ? true : undefined))
  },
  {
    name: "compares everything as text",
    caughtBy: apart,
    plant: spoiling("In", (condition, chunk) => {
      const wanted = new Set([...condition.texts, ...condition.numbers, ...condition.booleans].map(String))
      const value = valueOf(condition, chunk)
      return value === undefined ? undefined : [value].flat().some((one) => wanted.has(String(one)))
    })
  },
  {
    name: "filters texts only",
    caughtBy: apart,
    plant: spoiling("In", (condition, chunk) => (typeof valueOf(condition, chunk) === "number" ? false : undefined))
  },
  {
    name: "looks at the first item of a list",
    caughtBy: "finds a list by any of its items",
    plant: spoiling("In", (condition, chunk) => {
      const value = valueOf(condition, chunk)
      return typeof value === "object" ? condition.texts.includes(value[0] ?? "") : undefined
    })
  },
  {
    name: "looks for a part of a list's JSON",
    caughtBy: "finds a list by any of its items",
    plant: spoiling("In", (condition, chunk) => {
      const value = valueOf(condition, chunk)
      return typeof value === "object" ? condition.texts.some((text) => value.join().includes(text)) : undefined
    })
  },
  {
    name: "is content with one member of a filter",
    caughtBy: "filters by all members together",
    plant: spoiling("And", ({ parts }, _, fits) => parts.some(fits))
  },
  {
    name: "looks for the first of several values",
    caughtBy: "finds any of several values",
    plant: spoiling("In", (condition, chunk) =>
      Filter.matches({ ...condition, numbers: condition.numbers.slice(0, 1) }, chunk)
    )
  },
  {
    name: "takes no value for any value",
    caughtBy: "finds any of several values",
    plant: spoiling("In", ({ booleans, numbers, texts }) =>
      booleans.length + numbers.length + texts.length === 0 ? true : undefined
    )
  },
  {
    name: "finds with $ne only what has the member",
    caughtBy: "finds with $ne exactly what $eq does not, absent values among them",
    plant: spoiling("Not", ({ part }, chunk) =>
      part._tag === "In" && valueOf(part, chunk) === undefined ? false : undefined
    )
  },
  {
    name: "finds with $nin lists of which one item is another",
    caughtBy: "finds with $nin exactly what $in does not, absent values among them",
    plant: spoiling("Not", ({ part }, chunk) => {
      const value = part._tag === "In" ? valueOf(part, chunk) : undefined
      return part._tag === "In" && typeof value === "object"
        ? value.length === 0 || value.some((item) => !part.texts.includes(item))
        : undefined
    })
  },
  {
    name: "compares texts of digits with numbers",
    caughtBy: "compares numbers with numbers only",
    plant: spoiling("Compare", (condition, chunk) => {
      const number = Number(valueOf(condition, chunk))
      return condition.order === "gte" ? number >= condition.number : undefined
    })
  },
  {
    name: "compares texts of dates letter by letter",
    caughtBy: "compares dates in time",
    plant: spoiling("CompareTime", (condition, chunk) => {
      const [value, wanted] = [String(valueOf(condition, chunk)), new Date(condition.instant).toISOString()]
      return condition.order === "gt" ? value > wanted : undefined
    })
  },
  {
    name: "reads a day that there is not",
    caughtBy: "compares dates in time",
    plant: spoiling("CompareTime", (condition, chunk) =>
      valueOf(condition, chunk) === "2024-02-30" ? condition.order === "lt" : undefined
    )
  },
  {
    name: "finds a part in any case",
    caughtBy: "finds a part of a text in its own case, and a whole item of a list",
    plant: spoiling("Contains", (condition, chunk) => {
      const value = valueOf(condition, chunk)
      return typeof value === "string" ? value.toLowerCase().includes(condition.text.toLowerCase()) : undefined
    })
  },
  {
    name: "finds a part of an item of a list",
    caughtBy: "finds a part of a text in its own case, and a whole item of a list",
    plant: spoiling("Contains", (condition, chunk) => String(valueOf(condition, chunk)).includes(condition.text))
  },
  {
    name: "takes false and zero for no value",
    caughtBy: "takes an empty list for no value",
    plant: spoiling("Exists", (condition, chunk) => Boolean(valueOf(condition, chunk)))
  },
  {
    name: "wants all of several conditions",
    caughtBy: "finds what any of several conditions finds",
    plant: spoiling("Or", ({ parts }, _, fits) => parts.every(fits))
  },
  {
    name: "forgets every $not but the first",
    caughtBy: "finds with $not exactly what its condition does not",
    plant: spoiling("Not", ({ part }, chunk) => (part._tag === "Not" ? !Filter.matches(part.part, chunk) : undefined))
  },
  {
    name: "takes dots in names for paths",
    caughtBy: literally,
    plant: spoiling("In", (condition, chunk) => {
      const { subject } = condition
      return subject.name === "metadata" && subject.key.includes(".")
        ? Filter.matches({ ...condition, subject: { name: "metadata", key: subject.key.split(".")[0] ?? "" } }, chunk)
        : undefined
    })
  },
  {
    name: "takes wildcards in a filter for wildcards",
    caughtBy: literally,
    plant: comparing((value, wanted) => wanted === "%" || value === wanted)
  },
  {
    name: "finds members that objects inherit",
    caughtBy: literally,
    plant: spoiling("In", ({ subject }, { metadata }) =>
      subject.name === "metadata" && subject.key in metadata && !Object.hasOwn(metadata, subject.key) ? true : undefined
    )
  },
  {
    name: "drops quotes from names",
    caughtBy: "takes names with quotes and the empty name literally",
    plant: spoiling("In", (condition, chunk) => {
      const { subject } = condition
      return subject.name === "metadata" && subject.key.includes('"')
        ? Filter.matches({ ...condition, subject: { name: "metadata", key: subject.key.replaceAll('"', "") } }, chunk)
        : undefined
    })
  },
  {
    name: "filters by the source's name without its folder",
    caughtBy: "filters by source and document",
    plant: spoiling("In", ({ subject, texts }, { source }) =>
      subject.name === "source" ? texts.some((text) => source.endsWith(text)) : undefined
    )
  },
  {
    name: "filters by the innermost heading",
    caughtBy: "filters by headings",
    plant: spoiling("In", ({ subject, texts }, { headingPath }) =>
      subject.name === "heading" ? texts.includes(headingPath.at(-1)?.text ?? "") : undefined
    )
  },
  {
    name: "filters by the first page",
    caughtBy: "filters by pages",
    plant: spoiling("In", ({ numbers, subject }, { pages }) =>
      subject.name === "page" ? numbers.includes(pages[0] ?? 0) : undefined
    )
  },
  {
    name: "compares the first page",
    caughtBy: "compares any page of a chunk",
    plant: spoiling("Compare", (condition, chunk) =>
      Filter.matches(condition, { ...chunk, pages: chunk.pages.slice(0, 1) })
    )
  },
  {
    name: "filters by the first kind",
    caughtBy: "filters by kinds of blocks",
    plant: spoiling("In", ({ subject, texts }, { kinds }) =>
      subject.name === "kind" ? texts.includes(kinds[0] ?? "") : undefined
    )
  },
  {
    name: "finds all chunks for a filter that is not valid",
    caughtBy: "refuses a filter that is not valid, and operators that it does not claim",
    plant: calls(({ sink }) => ({
      search: ({ filter, ...query }) =>
        Either.isLeft(Filter.parse(filter ?? {}))
          ? (sink.search?.(query) ?? Effect.succeed([]))
          : (sink.search?.({ ...query, filter }) ?? Effect.succeed([]))
    }))
  },
  {
    name: "claims fewer operators than it takes",
    caughtBy: "refuses a filter that is not valid, and operators that it does not claim",
    plant: calls(({ sink }) => ({ capabilities: { ...sink.capabilities, filter: ["eq"] } }))
  },
  {
    name: "filters the best hits instead of all chunks",
    caughtBy: "applies the filter before the limit: a chunk is found although every better one does not match",
    plant: searching(({ filter, ...query }, parts) =>
      ranked(
        ranked(all(parts), query)
          .slice(0, query.limit)
          .map(({ chunk }) => chunk),
        { ...query, filter }
      )
    )
  },
  {
    name: "filters the candidates of an approximate index",
    caughtBy: "finds the nearest chunks of one of twenty tenants, as many as the limit",
    plant: searching(({ filter, ...query }, parts) => {
      const candidates = ranked(all(parts), query).slice(0, 150)
      return ranked(
        candidates.map(({ chunk }) => chunk),
        { ...query, filter }
      ).slice(0, query.limit)
    })
  }
]
