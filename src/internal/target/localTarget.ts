/** Sinks whose target is a path on this machine: `jsonl`, `fs`, `libsql`, `lancedb`. */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { named, type Open, opening, refused, type SinkKind, type Target, tenantOf, withTenant } from "./sinkKind.ts"

interface Made extends Pick<Target, "outputs" | "place" | "open"> {
  /** Absolute path. */
  readonly path: string
  readonly openToAppend?: Open
}

const isAddress = (target: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(target)

const searching = new Set(["libsql", "lancedb"])

const local = (kind: string, form: string, make: (target: string) => Made | string): SinkKind => ({
  form: `${kind}:${form}`,
  searches: searching.has(kind),
  read: (target) => {
    const made = isAddress(target) ? `expected ${form}, a path of this machine, and got a URL` : make(target)
    if (typeof made === "string") return Effect.fail(refused(kind, made))
    const { path, ...rest } = made
    return Effect.succeed({
      spelling: `${kind}:${target}`,
      shown: `${kind}:${target}`,
      kept: { address: `${kind}:${path}`, credential: false },
      variable: null,
      needsVectors: false,
      searches: searching.has(kind),
      openToAppend: rest.open,
      ...rest
    })
  },
  spellingOf: (id) => id
})

const jsonlSink = () => import("docsluice/sinks/Jsonl")

export const jsonl = local("jsonl", "FILE", (file) => ({
  path: resolve(file),
  outputs: [
    file,
    ...["json", "json.tmp", "journal", "new", "lock", "lock.pid"].map((end) => `${file}.docsluice.${end}`)
  ],
  place: file,
  open: opening(jsonlSink, (sink) => sink.make({ file })),
  openToAppend: opening(jsonlSink, (sink) => sink.make({ file, mode: "append" }))
}))

export const fs = local("fs", "DIR", (directory) => ({
  path: resolve(directory),
  outputs: [directory],
  place: directory,
  open: opening(
    () => import("docsluice/sinks/Filesystem"),
    (sink) => sink.make({ directory })
  )
}))

export const libsql = local("libsql", "FILE[?tenant=NAME]", (target) => {
  const { address: file, tenant } = withTenant(target)
  if (file === "" || tenant === "") return "expected FILE[?tenant=NAME]"
  return {
    path: `${resolve(file)}${tenantOf(tenant)}`,
    outputs: [file, ...["wal", "shm", "journal"].map((end) => `${file}-${end}`)],
    place: file,
    open: opening(
      () => import("docsluice/sinks/LibSql"),
      (sink) => sink.make({ file, tenant })
    )
  }
})

const defaultTable = "chunks"

export const lancedb: SinkKind = {
  ...local("lancedb", "DIR[?tenant=NAME][#TABLE]", (target) => {
    const { address, name: table = defaultTable } = named(target)
    const { address: directory, tenant } = withTenant(address)
    if (directory === "") return "expected DIR[?tenant=NAME][#TABLE], and the folder is missing"
    if (tenant === "") return "expected DIR[?tenant=NAME][#TABLE], and the tenant's name is missing"
    if (!/^[\w.-]+$/.test(table)) return "the table's name, after the #, may only have letters, digits, _, - and ."
    const options = { directory, table, tenant }
    return {
      path: `${resolve(directory)}${tenantOf(tenant)}#${table}`,
      outputs: [directory],
      place: join(directory, `${table}.lance`),
      open: opening(
        () => import("docsluice/sinks/LanceDb"),
        (sink) => sink.make(options)
      )
    }
  }),
  spellingOf: (id) => id.replace(/[/\\]([^/\\?]+)(\?tenant=[\w.-]+)?$/, "$2#$1")
}
