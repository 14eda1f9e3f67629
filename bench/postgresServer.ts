/** PostgreSQL server of a bench: the tests' one, which never calls fsync. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

interface Module {
  readonly missing: () => string | null
  readonly start: () => Promise<PostgresServer>
}

const loaded = (): Promise<Module> => import(new URL("../test/sinks/postgres.ts", import.meta.url).href)

/** Reason why no server can be started here; null when one can. */
export const missing = async (): Promise<string | null> => (await loaded()).missing()

/** Starts a server, which ends with this process at the latest. */
export const start = async (): Promise<PostgresServer> => (await loaded()).start()
