import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ParseCache from "docsluice/ParseCache"
import type { Answer } from "docsluice/service/Client"
import type { ParseData } from "docsluice/service/ParseResponse"
import { Effect, Ref } from "effect"

export const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-cache-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

export const hash = (seed: string): string => Buffer.from(seed.padEnd(32, "\0")).toString("hex").slice(0, 64)

export const request = (seed: string, change: Partial<ParseCache.Request> = {}): ParseCache.Request => ({
  contentHash: hash(seed),
  type: "application/pdf",
  optionsHash: ParseCache.optionsHash({}),
  identity: "embedded@1",
  retain: true,
  since: null,
  ...change
})

/** Text that gzip cannot make much smaller. */
export const noise = (length: number, seed: number): string => {
  let state = seed + 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCodePoint(33 + (state % 90))
  }).join("")
}

export const answer = (seed: string, data: Partial<ParseData> = {}): Answer => ({
  contentHash: hash(seed),
  data: { markdown: `# ${seed}`, metadata: { title: seed, other: [1, { deep: null }] }, ...data }
})

export const large = (seed: string, pages = 40): Answer =>
  answer(seed, {
    pages: Array.from({ length: pages }, (_, index) => ({ pageNumber: index + 1, markdown: noise(10_000, index) }))
  })

export const counted = (result: Answer) =>
  Effect.map(Ref.make(0), (count) => ({
    count,
    parse: Effect.as(
      Ref.update(count, (n) => n + 1),
      result
    )
  }))

export const reopened = <A, E>(
  directory: string,
  body: (cache: ParseCache.ParseCache.Service) => Effect.Effect<A, E>,
  maxBytes?: number
) => Effect.scoped(Effect.flatMap(ParseCache.make({ directory, maxBytes }), body))
