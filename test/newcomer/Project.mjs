/** A project of a newcomer: an empty folder, the packed tarball from the registry's point of view, and sample documents. */
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

const programs = fileURLToPath(new URL("programs", import.meta.url))

/** Runs a program to its end; rejects with its output unless it ends with `status`. */
export const run = (command, parameters, { cwd, env = {}, status = 0 } = {}) =>
  new Promise((resolve, reject) => {
    const { NODE_OPTIONS: _, ...environment } = process.env
    const child = spawn(command, parameters, {
      cwd,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => void (output += piece))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === status || (status === "failure" && code !== 0)) resolve(output)
      else reject(new Error(`${command} ${parameters.join(" ")} ended with ${code}:\n${output}`))
    })
  })

/** Runs a server until `stop` is aborted; resolves with its output once it has ended. */
export const serve = (command, parameters, { cwd, env, stop }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => void (output += piece))
    stop.addEventListener("abort", () => child.kill("SIGTERM"))
    child.on("error", reject)
    child.on("close", () => resolve(output))
  })

/** The body at an address, once somebody listens there; rejects when the server has ended before. */
export const fetchText = async (address, served) => {
  const ended = served.then((output) => Promise.reject(new Error(`the server has ended:\n${output}`)))
  const ask = async () => {
    try {
      return await (await fetch(address)).text()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 250))
      return ask()
    }
  }
  return Promise.race([ask(), ended])
}

const readme = readFileSync(join(root, "README.md"), "utf8")

/** The packages that the README's install lines name next to docsluice: none for the first one, then those for programs on Effect. */
export const [readmePackages, effectPackages] = Array.from(readme.matchAll(/^npm i docsluice(.*)$/gmu), ([, words]) =>
  words.split(" ").filter((word) => word !== "")
)

/** Fences of a page, as pairs of their language and their text. */
const fences = (page) =>
  Array.from(readFileSync(join(root, page), "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gmsu), ([, language, text]) => [
    language,
    text
  ])

/** A shell program that does what a page says, its modules written to the files that their first lines name. */
export const script = (page) =>
  fences(page)
    .flatMap(([language, text]) => {
      const [, file] = /^\/\/ (\S+\.mts)$/mu.exec(text) ?? []
      if (language === "ts" && file !== undefined) return [`cat > ${file} <<'END OF FILE'\n${text}END OF FILE\n`]
      return language === "sh" ? [text] : []
    })
    .join("\n")

const npmInstall = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]

/** Gives a program of npm's to `use`, by its path below `node_modules`, which needs no script of its install. */
export const withProgram = async (name, path, use) => {
  const place = mkdtempSync(join(tmpdir(), "docsluice-program-"))
  try {
    await run("npm", [...npmInstall.slice(1), "--prefix", place, name])
    return await use(join(place, "node_modules", path))
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** Installs packages into an empty folder, by a command line that they are added to; `manifest` has further members. */
export const make = async (packages, { install = npmInstall, manifest = {}, status, env } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-newcomer-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }))
  const [command, ...words] = install
  const installed = await run(command, [...words, ...packages], { cwd: folder, status, env })
  cpSync(join(root, "examples/documents"), join(folder, "docs"), { recursive: true })
  return {
    folder,
    /** What the installation printed. */
    installed,
    /** Copies a program into the project; gives its path there. */
    add: (name) => {
      const place = join(folder, name)
      cpSync(join(programs, name), place, { recursive: true })
      return place
    },
    write: (name, text) => {
      const place = join(folder, name)
      mkdirSync(join(place, ".."), { recursive: true })
      writeFileSync(place, text)
      return place
    },
    /** The text of a file that a program has written, which is gone then. */
    take: (name) => {
      const text = readFileSync(join(folder, name), "utf8")
      rmSync(join(folder, name))
      return text
    },
    run: (command, parameters, options) => run(command, parameters, { cwd: folder, ...options }),
    /** Forgets what a program stored. */
    clean: () => {
      for (const name of ["store.db", ".docsluice"]) rmSync(join(folder, name), { recursive: true, force: true })
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
