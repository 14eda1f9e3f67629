import { isRecord } from "./rules.ts"

/** JSON with the members of every object sorted by name, so that equal values have equal texts. Undefined members are left out. */
export const stableJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(",")}]`
  if (!isRecord(value)) return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "null")
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${stableJson(value[key])}`)
  return `{${members.join(",")}}`
}
