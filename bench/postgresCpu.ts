/** CPU time of a PostgreSQL server on this machine, all of its processes together; Linux only. */
import { readdirSync, readFileSync } from "node:fs"
import type { Pool } from "pg"

/** Fields of `/proc/PID/stat` behind the name, which may hold blanks; null for a process that has ended. */
const stat = (pid: string): ReadonlyArray<string> | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return null
  }
}

/** Milliseconds: a tick of the clock that `/proc` counts in is 10. */
const spent = (fields: ReadonlyArray<string>, from: number): number =>
  10 * (Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0))

/** Gives a function that says how many milliseconds the server has spent so far, those of ended connections included. */
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
