const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)])
  )
}

/** JSON with members sorted by code units, undefined ones left out; lists keep their order. */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value))
