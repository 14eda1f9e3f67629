/** Installs by other package managers than npm. */
import assert from "node:assert/strict"
import { join } from "node:path"
import * as Project from "./Project.mjs"
import { firstCommands, printsOk } from "./Runtimes.mjs"

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
    await firstCommands(project, (words) => project.run(join(project.folder, "node_modules/.bin/docsluice"), words))
  } finally {
    project.remove()
  }
}

/** A check for each, by the path of the tarball. */
export const managers = (docsluice) => ({
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
})
