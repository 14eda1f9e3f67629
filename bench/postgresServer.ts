/** A PostgreSQL server for a bench: the one that the tests start, which synchronises nothing. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

interface Module {
  readonly missing: () => string | null
  readonly start: () => Promise<PostgresServer>
}

const loaded = (): Promise<Module> => import(new URL("../test/sinks/postgres.ts", import.meta.url).href)

/** Why there can be none here; null when there can. */
export const missing = async (): Promise<string | null> => (await loaded()).missing()

/** It ends with this process at the latest. */
export const start = async (): Promise<PostgresServer> => (await loaded()).start()
