/** Runs a project's `portable.mjs` where there is no Node: in Chromium, and in `workerd`, the runtime of Cloudflare's workers. */
import assert from "node:assert/strict"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { chromium } from "playwright-core"
import * as Project from "./Project.mjs"

/** One file that needs nothing else: an import of a module of Node would end the build. */
const bundled = (project, contents, options) =>
  build({
    stdin: { contents: `import { chunks } from "./portable.mjs"\n${contents}`, resolveDir: project.folder },
    bundle: true,
    platform: "browser",
    format: "esm",
    logLevel: "silent",
    ...options
  })

/** WebAssembly of the PDF parser in a project. */
export const wasmOf = (project) =>
  join(project.folder, "node_modules/@llamaindex/liteparse-wasm/pkg/liteparse_wasm_bg.wasm")

/** What the program answers in a page of Chromium. */
export const inChromium = async (project) => {
  const { outputFiles } = await bundled(project, "globalThis.chunks = chunks", { write: false, format: "iife" })
  const executablePath = process.env.DOCSLUICE_CHROMIUM ?? "/usr/bin/chromium"
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: outputFiles[0].text })
    await page.addScriptTag({ content: `globalThis.wasm = "${readFileSync(wasmOf(project)).toString("base64")}"` })
    const compiled = "WebAssembly.compile(Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0)))"
    return await page.evaluate(`${compiled}.then(chunks)`)
  } finally {
    await browser.close()
  }
}

/** What it answers in a worker, without `nodejs_compat`. */
export const inWorkerd = async (project, workerd, port) => {
  const worker = `import pdf from "./pdf.wasm"
export default { fetch: async () => new Response(await chunks(pdf)) }`
  copyFileSync(wasmOf(project), join(project.folder, "pdf.wasm"))
  const conditions = ["workerd", "worker", "browser"]
  await bundled(project, worker, { outfile: join(project.folder, "worker.js"), conditions, external: ["*.wasm"] })
  writeFileSync(
    join(project.folder, "worker.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "pdf.wasm", wasm = embed "pdf.wasm")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`
  )
  const stop = new AbortController()
  const served = Project.serve(workerd, ["serve", "worker.capnp"], { cwd: project.folder, stop: stop.signal })
  try {
    return await Project.fetchText(`http://127.0.0.1:${port}/`, served)
  } finally {
    stop.abort()
    assert.doesNotMatch(await served, /error/iu)
  }
}
