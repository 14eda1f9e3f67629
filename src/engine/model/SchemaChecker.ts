/** Lane side of {@link SchemaCheck}: compiles a JSON Schema and checks a value against it. */
import { compile } from "../../internal/base/jsonSchema.ts"
import { isRecord } from "../../internal/base/rules.ts"
import type { SchemaJob, SchemaResult } from "../jobs.ts"

export const check = async ({ bytes }: SchemaJob): Promise<SchemaResult> => {
  const given: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!isRecord(given) || !isRecord(given["schema"])) return { kind: "invalid", problem: "it is not an object" }
  try {
    const mismatchesOf = await compile(given["schema"])
    return { kind: "checked", mismatches: "value" in given ? mismatchesOf(given["value"]) : [] }
  } catch (cause) {
    return { kind: "invalid", problem: cause instanceof Error ? cause.message : String(cause) }
  }
}
