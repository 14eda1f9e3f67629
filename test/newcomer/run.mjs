/**
 * `node test/newcomer/run.mjs [NAME…]` packs the package, installs it in empty projects as a newcomer does, and runs the checks named, or
 * all but those that install much: `DOCSLUICE_TEST_NIGHTLY=1` adds Next.js, other package managers, the oldest Effect 3
 * that docsluice takes and one that it refuses, and what else differs little.
 */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { build } from "esbuild"
import { managers } from "./Managers.mjs"
import * as Portable from "./Portable.mjs"
import * as Project from "./Project.mjs"
import * as Runtimes from "./Runtimes.mjs"
import { firstCommands, freePort, printsOk } from "./Runtimes.mjs"

/** Those of an install beside nothing. */
const limits = { packages: 190, bytes: 130_000_000, ownBytes: 65_000_000 }
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
    external: ["chromadb", "@lancedb/lancedb", "apache-arrow", "pg", "bullmq", "ioredis", "imapflow", "ssh2"],
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

/** Packages of a project that docsluice leads to without those that are left out, and the bytes of their files. */
const sizes = (folder, isLeftOut) => {
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")).packages
  const reached = new Set()
  const resolved = (from, name) => {
    for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf("node_modules/") - 1))) {
      const path = `${place}${place === "" ? "" : "/"}node_modules/${name}`
      if (lock[path] !== undefined || place === "") return path
    }
  }
  const reach = (path) => {
    if (lock[path] === undefined || reached.has(path) || isLeftOut(path)) return
    reached.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = lock[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      reach(resolved(path, name))
    }
  }
  reach("node_modules/docsluice")
  // A build for another machine is in the lock file, and not there.
  const packages = [...reached].filter((path) => existsSync(join(folder, path)))
  const bytesIn = (place) =>
    readdirSync(place, { withFileTypes: true }).reduce((all, entry) => {
      const path = join(place, entry.name)
      if (!entry.isDirectory()) return all + lstatSync(path).size
      return entry.name === "node_modules" ? all : all + bytesIn(path)
    }, 0)
  return { packages: packages.length, bytes: packages.reduce((all, path) => all + bytesIn(join(folder, path)), 0) }
}

/** Checks of a project with what the README's first install line names. */
const checks = {
  tree,
  oneEffect,
  firstAnswer,
  size: async (project) => {
    const all = sizes(project.folder, () => false)
    const own = sizes(project.folder, (path) => /node_modules\/(?:effect|@effect\/[^/]+)$/u.test(path))
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
    const [kilobytes] = (await project.run("du", ["-sk", "node_modules"])).split("\t")
    console.log(
      `   ${all.packages} packages, ${megabytes(all.bytes)}, on the disk ${megabytes(Number(kilobytes) * 1024)}`
    )
    console.log(`   without Effect and what only it needs ${own.packages} packages, ${megabytes(own.bytes)}`)
    assert.ok(all.packages <= limits.packages)
    assert.ok(all.bytes <= limits.bytes)
    assert.ok(own.bytes <= limits.ownBytes)
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
  nodes: Runtimes.nodes,
  runtimes: Runtimes.others(nightly || wanted.has("runtimes"))
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
    const here = await chunks(await WebAssembly.compile(readFileSync(Portable.wasmOf(project))))
    assert.match(here, /^report\.pdf Cleaning $\n^report\.pdf [0-9a-f]{64} \d+$[^]*\nletter\.docx UnsupportedFile$/mu)
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

const besideNext = {
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
  { packages: ["effect@3.21", "@effect/platform-node@0.107"], checks: besideOlderEffect, left: !nightly },
  {
    packages: [...Project.readmePackages, "next@15", "react@19", "react-dom@19"],
    checks: besideNext,
    left: !nightly
  },
  { checks: managers(docsluice), left: !nightly }
]

let failed = 0
try {
  for (const group of groups) {
    const isDefault = wanted.size === 0 && group.left !== true
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
