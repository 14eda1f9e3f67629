/** `npm run bench -- NAME [ARGS]` runs `bench/NAME.ts` from source. */
import { spawnSync } from "node:child_process"

const [name, ...args] = process.argv.slice(2)
if (name === undefined) {
  console.error("usage: npm run bench -- NAME [ARGS]")
  process.exit(64)
}
const flags = ["--expose-gc", "--import", "tsx", "--conditions=docsluice:source"]
const { status } = spawnSync(process.execPath, [...flags, `bench/${name}.ts`, ...args], { stdio: "inherit" })
process.exitCode = status ?? 1
