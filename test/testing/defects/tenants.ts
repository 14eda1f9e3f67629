import { Effect } from "effect"
import { calls, type Defect } from "./Defect.ts"
import { ranked } from "./honest.ts"
import { all } from "./searching.ts"

export const tenants: ReadonlyArray<Defect> = [
  {
    name: "writes to every tenant",
    caughtBy: "keeps the same ids of two tenants apart, in lists, counts, removals and replacements",
    plant: calls(({ sink, theirs }) => ({
      write: (batch) =>
        Effect.tap(sink.write(batch), () =>
          Effect.sync(() => {
            for (const chunk of batch) theirs.chunks.set(chunk.id, chunk)
          })
        )
    }))
  },
  {
    name: "searches every tenant",
    caughtBy: "finds nothing of another tenant, and gives it nothing",
    plant: calls((parts) => ({
      search: (query) =>
        Effect.sync(() => ranked([...all(parts), ...parts.theirs.chunks.values()], query).slice(0, query.limit))
    }))
  },
  {
    name: "asks the first tenant whatever a query chooses",
    caughtBy: "finds the chunks of the tenant that a query chooses, with one reader for all",
    plant: calls(({ sink: { search } }) => ({
      ...(search && {
        search: (query) => search({ ...query, ...(query.tenant !== undefined && { tenant: "mine" }) })
      })
    }))
  },
  {
    name: "searches the first tenant for a query that chooses none",
    caughtBy: "refuses a query for no tenant, and that of a tenant's sink for another one",
    plant: calls(({ sink: { search } }) => ({
      ...(search && { search: (query) => search({ ...query, tenant: query.tenant ?? "mine" }) })
    }))
  },
  {
    name: "looks for a tenant's chunks among the candidates of an index of all tenants",
    caughtBy: "finds as many chunks of a tenant as the limit, however many of another's are nearer",
    plant: calls((parts) => ({
      search: (query) =>
        Effect.sync(() =>
          ranked([...all(parts), ...parts.theirs.chunks.values()], query)
            .slice(0, 200)
            .filter(({ chunk }) => parts.store.chunks.has(chunk.id))
            .slice(0, query.limit)
        )
    }))
  }
]
