/** Every string of a value, keys and numbers included. */
const stringsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string" || typeof value === "number") return [String(value)]
  if (Array.isArray(value)) return value.flatMap((item: unknown) => stringsOf(item))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key].concat(stringsOf(item)))
}

const folded = (text: string): string => text.toLowerCase().replace(/[\s\\]+/gu, "")

/** The values that still occur somewhere in the answer, in any case, with any spaces and with or without escapes of Markdown. */
export const leaks = (answer: unknown, values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const texts = stringsOf(answer).map(folded)
  return values.filter((value) => texts.some((text) => text.includes(folded(value))))
}
