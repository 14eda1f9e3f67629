import { readFileSync, writeFileSync } from "node:fs"
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
let added = 0
for (const [path, pkg] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(pkg.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined || lock.packages[`${path}/${key}`] !== undefined) continue
    const m = /-(darwin|linux|win32|freebsd|android|openharmony)-?([a-z0-9]+)?/.exec(name)
    lock.packages[key] = {
      version,
      cpu: [m?.[2] ?? "x64"],
      ...(pkg.dev ? { dev: true } : {}),
      optional: true,
      os: [m?.[1] ?? "none"]
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`)
console.log("added", added)
