import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as Either from "effect/Either"
import { InvalidOptions } from "../../service/ParseOptions.ts"
import { show } from "../base/rules.ts"

/** Method and path of one endpoint, ids filled in. */
export interface Endpoint {
  readonly method: HttpMethod
  readonly path: string
}

export interface Ids {
  readonly jobId: string
  readonly snapshotId?: string
}

/** The endpoint for some ids; null for an id that cannot be a segment of a path. */
export type Fill = (ids: Ids) => Endpoint | null

const methods: ReadonlyArray<HttpMethod> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** An id as one segment. The empty one and those with dots alone would lead to another endpoint. */
const segment = (id: string): string | null =>
  /^\.{0,2}$/.test(id) ? null : Either.getOrNull(Either.try(() => encodeURIComponent(id)))

const filled = (template: string, { jobId, snapshotId = "-" }: Ids): string | null => {
  const [job, snapshot] = [segment(jobId), segment(snapshotId)]
  return job === null || snapshot === null
    ? null
    : template.replaceAll(/\{(jobId|snapshotId)\}/g, (_, name) => (name === "jobId" ? job : snapshot))
}

/** Reads `/path/{jobId}` or `METHOD /path/{jobId}`. */
export const read = (
  template: string,
  expected: { readonly field: string; readonly method: HttpMethod; readonly ids: ReadonlyArray<keyof Ids> }
): Either.Either<Fill, InvalidOptions> => {
  const [, word, path] = /^(?:([A-Z]+) )?(\/[^\s#]*)$/.exec(template) ?? []
  const method = word === undefined ? expected.method : methods.find((known) => known === word)
  if (method !== undefined && path !== undefined && expected.ids.every((id) => path.includes(`{${id}}`))) {
    return Either.right((ids) => {
      const at = filled(path, ids)
      return at === null ? null : { method, path: at }
    })
  }
  const { field, ids } = expected
  const bound = `a path below the base address with ${ids.map((id) => `{${id}}`).join(" and ")}, such as ${expected.method} /agent/${ids.map((id) => `{${id}}`).join("/")}`
  const message = `${field} is ${show(template)}; expected ${bound}`
  return Either.left(new InvalidOptions({ issues: [{ field, value: template, bound, message }] }))
}
