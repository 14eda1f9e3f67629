/** Stands in for npm: it installs nothing, and refuses what this package could not be used with, and scripts that there are none of. */
import { readFileSync } from "node:fs"

const [command, ...words] = process.argv.slice(2)
const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const ranges = { ...own.devDependencies, ...own.dependencies, ...own.peerDependencies, [own.name]: own.version }

const fail = (problem) => {
  console.error(`npm: ${problem}`)
  process.exit(1)
}

/** True when the version that a page names begins one that the range allows. */
const allowed = (range, version) => version === undefined || `${range.replace(/^\D+/u, "")}.`.startsWith(`${version}.`)

const install = (words) => {
  for (const word of words.filter((word) => !word.startsWith("-"))) {
    const [, name, version] = /^(@?[^@]+)(?:@(.+))?$/u.exec(word) ?? []
    const range = ranges[name]
    if (range === undefined || !allowed(range, version)) fail(`${word} is not what the package asks for: ${range}`)
  }
}

const commands = {
  init: () => {},
  ci: () => {},
  i: install,
  install,
  run: ([script]) => own.scripts[script] ?? fail(`no script ${script}`)
}

const run = commands[command] ?? fail(`no command ${command}`)
run(words)
