// Health of a container: `serve` has to answer; another command has to run, which it does where this does.
import { readFileSync } from "node:fs"

const command = readFileSync("/proc/1/cmdline", "utf8")
if (command.includes("\0serve\0")) {
  const port = /\0--port[=\0](\d+)/u.exec(command)?.[1] ?? "8787"
  const { ok } = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(4000) })
  if (!ok) process.exitCode = 1
}
