/** CPU time and memory of a process and its children, from `/proc`: Linux only. */
import { readdirSync, readFileSync } from "node:fs"

const tickMillis = 10

const pageBytes = 4096

/** Fields of `/proc/PID/stat` after the name, which may contain spaces; empty when the process has ended. */
const stat = (pid: number): ReadonlyArray<string> => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}

const field = (fields: ReadonlyArray<string>, at: number): number => Number(fields[at] ?? 0)

/** The process and its children. */
const tree = (pid: number): ReadonlyArray<ReadonlyArray<string>> => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stat(Number(name)))
  return [stat(pid), ...all.filter((fields) => fields[1] === String(pid))]
}

/** CPU time in milliseconds of a process, of its children, and of its children that have ended. */
export const cpuMillis = (pid: number): number => {
  const own = stat(pid)
  const ended = field(own, 13) + field(own, 14)
  return tree(pid).reduce((sum, fields) => sum + field(fields, 11) + field(fields, 12), ended) * tickMillis
}

/** Resident memory in megabytes of a process and its children. */
const residentMb = (pid: number): number =>
  tree(pid).reduce((sum, fields) => sum + field(fields, 21), 0) * (pageBytes / 1_048_576)

/** Samples the memory of a process and its children every 25 ms; returns a function that ends this and returns the highest sum. */
export const watchMemory = (pid: number): (() => number) => {
  let most = residentMb(pid)
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, 25)
  return () => {
    clearInterval(timer)
    return Math.max(most, residentMb(pid))
  }
}
