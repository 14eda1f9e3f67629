/** `npm run bench -- NAME [ARGS]` builds the package and runs `bench/NAME.ts` on what was built: that is what users run. */
import { spawnSync } from "node:child_process"

const [name, ...args] = process.argv.slice(2)
if (name === undefined) {
  console.error("usage: npm run bench -- NAME [ARGS]")
  process.exit(64)
}
const run = (command, parameters) => {
  const { status } = spawnSync(command, parameters, { stdio: "inherit" })
  if (status !== 0) {
    process.exit(status ?? 1)
  }
}
run("npm", ["run", "--silent", "build"])
run(process.execPath, ["--expose-gc", "--import", "tsx", `bench/${name}.ts`, ...args])
