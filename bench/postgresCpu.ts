/** CPU time of a PostgreSQL server on this machine, all processes together; Linux only. */
import { readdirSync, readFileSync } from "node:fs"
import type { Pool } from "pg"

/** Fields of `/proc/PID/stat` after the name, which may contain spaces; null for a process that has ended. */
const stat = (pid: string): ReadonlyArray<string> | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return null
  }
}

/** CPU time in milliseconds: a tick of `/proc` is 10 ms. */
const spent = (fields: ReadonlyArray<string>, from: number): number =>
  10 * (Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0))

/** Returns a function that gives the server's CPU time so far in milliseconds, ended connections included. */
export const make = async (pool: Pool): Promise<() => number> => {
  const { rows } = await pool.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid")
  const server = stat(String(rows[0]?.pid ?? 0))?.[1] ?? ""
  return () => {
    const own = stat(server)
    const children = readdirSync("/proc").flatMap((pid) => {
      const fields = /^\d+$/.test(pid) ? stat(pid) : null
      return fields?.[1] === server ? [spent(fields, 11)] : []
    })
    return (own === null ? 0 : spent(own, 11) + spent(own, 13)) + children.reduce((sum, one) => sum + one, 0)
  }
}
