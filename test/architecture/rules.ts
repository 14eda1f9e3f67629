/** The rule of imports over the files of `src` and `sinks`; `CONTRIBUTING.md` says the same in words. */

/** One import of a file: a file's path below the package's root, or a package's name. `type`: it is gone after compilation. */
export interface Import {
  readonly to: string
  readonly type: boolean
}

/** Files, by their paths below the package's root, to what they import. */
export type Graph = ReadonlyMap<string, ReadonlyArray<Import>>

/** Rooms of `src/internal`, lowest first: a room imports those before it. */
export const rooms: ReadonlyArray<string> = [
  "base",
  "filter",
  "bpe",
  "chunking",
  "reading",
  "telemetry",
  "terms",
  "quotation",
  "sink",
  "gate",
  "client",
  "embedding",
  "reranking",
  "model",
  "server",
  "discovery",
  "objects",
  "archive",
  "git",
  "imap",
  "web",
  "webdav",
  "sftp",
  "drive",
  "state",
  "sql",
  "figures",
  "agent",
  "sample",
  "conformance",
  "sources",
  "plan",
  "run",
  "queue",
  "target",
  "look",
  "tools",
  "corpus",
  "mcp",
  "evaluation",
  "async"
]

/** Modules of data: they import data, and of `internal` files that themselves lead to nothing but data. */
export const data: ReadonlyArray<string> = [
  "DocumentChunk",
  "Extraction",
  "Filter",
  "Outcome",
  "ParsedDocument",
  "Source",
  "SourceFile",
  "Stage",
  "Telemetry",
  "service/ParseOptions",
  "service/ServiceError"
]

/** Stages with the modules of each. */
export const stages: Readonly<Record<string, ReadonlyArray<string>>> = {
  discovery: ["Discovery"],
  parser: ["Parser", "Portable"],
  chunker: ["Chunker", "AutoChunker", "BlockChunker", "MarkdownChunker", "PageChunker"],
  embedder: ["Embedder"],
  sink: ["ChunkSink"]
}

/** Modules that put stages together, lowest first: one imports those before it, and nothing below imports any. */
export const compositions: ReadonlyArray<string> = [
  "ArtifactSource",
  "Interop",
  "Plan",
  "Pipeline",
  "Queue",
  "Corpus",
  "Tools",
  "Evaluation",
  "Async",
  "index"
]

/** Rooms that see all stages; any other room imports only the values of the stage that it serves. */
const composing: ReadonlySet<string> = new Set([
  "plan",
  "run",
  "queue",
  "target",
  "look",
  "tools",
  "corpus",
  "mcp",
  "evaluation",
  "async"
])
const serving: Readonly<Record<string, string>> = { chunking: "chunker", conformance: "sink" }

/** A module of `src` by its name in the lists above. */
const moduleOf = (file: string): string => file.replace(/^src\//u, "").replace(/\.ts$/u, "")
const roomOf = (file: string): string | undefined => /^src\/internal\/([^/]+)\//u.exec(file)?.[1]
const engineOf = (file: string): string | undefined => /^sinks\/internal\/([^/]+)\//u.exec(file)?.[1]
/** Rooms that are a part of a composition: the one of `Async` is loaded by its first call. */
const parts: Readonly<Record<string, string>> = {
  corpus: "Corpus",
  mcp: "Tools",
  evaluation: "Evaluation",
  async: "Async"
}
const heightOf = (file: string): number => {
  if (/^src\/(?:cli|view)\//u.test(file)) return compositions.length
  return compositions.indexOf(parts[roomOf(file) ?? ""] ?? moduleOf(file))
}
const stageOf = (file: string): string | undefined =>
  Object.keys(stages).find((stage) => stages[stage]?.includes(moduleOf(file)))

/** The part of the rule on names of packages that an import breaks. */
const brokenName = (from: string, to: string): string | undefined => {
  if (from.startsWith("sinks/")) {
    if (to.startsWith("src/")) return "a sink imports the package by its name, as a user does"
    if (to === "docsluice") return "a sink imports modules: docsluice/NAME"
    const [engine, other] = [engineOf(from), engineOf(to)]
    if (engine !== undefined && other !== undefined && other !== engine && other !== "shared") {
      return "an engine of sinks imports only itself and what is shared"
    }
  } else if (!from.startsWith("src/cli/")) {
    if (to.startsWith("sinks/")) return "only cli and the room target know sinks"
    const spells = roomOf(from) === "target" && to.startsWith("docsluice/sinks/")
    if (/^docsluice(?:\/|$)/u.test(to) && !spells) return "src imports itself by relative paths"
    if (to.startsWith("node:") && !/^src\/(?:internal|engine)\//u.test(from)) {
      return "public modules use the services of @effect/platform"
    }
  }
  return undefined
}

/** The part of the rule on stages that an import of values breaks. */
const brokenStage = (from: string, to: string): string | undefined => {
  const [room, stage, other] = [roomOf(from), stageOf(from), stageOf(to)]
  if (other === undefined) return undefined
  if (stage !== undefined && stage !== other) return "a stage imports no values of another stage"
  if (room !== undefined && !composing.has(room) && serving[room] !== other) {
    return "a room imports values of the stage that it serves only"
  }
  return undefined
}

/** The part of the rule that an import breaks; undefined when it breaks none. */
const broken = (from: string, { to, type }: Import): string | undefined => {
  const [room, other] = [roomOf(from), roomOf(to)]
  if (heightOf(to) > heightOf(from)) return "only what stands above imports it"
  if (room !== undefined && other !== undefined && rooms.indexOf(other) > rooms.indexOf(room)) {
    return "a room imports only rooms below it"
  }
  return brokenName(from, to) ?? (type ? undefined : brokenStage(from, to))
}

/** Modules that are not data and that a module of data leads to, directly or through files of `internal`; types counted. */
const servicesOf = (graph: Graph, module: string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (file: string): ReadonlyArray<string> =>
    (graph.get(file) ?? []).flatMap(({ to }) => {
      if (!to.startsWith("src/") || data.includes(moduleOf(to)) || seen.has(to)) return []
      seen.add(to)
      return roomOf(to) === undefined ? [to] : visit(to)
    })
  return visit(`src/${module}.ts`).map((to) => `src/${module}.ts -> ${to}: data leads to data only`)
}

/** One circle of imports, types counted, as the files on it in order; undefined when there is none. */
export const circle = (graph: Graph): ReadonlyArray<string> | undefined => {
  const done = new Set<string>()
  const path: Array<string> = []
  const visit = (file: string): ReadonlyArray<string> | undefined => {
    if (done.has(file)) return undefined
    const start = path.indexOf(file)
    if (start >= 0) return path.slice(start)
    path.push(file)
    for (const { to } of graph.get(file) ?? []) {
      const found = visit(to)
      if (found !== undefined) return found
    }
    path.pop()
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const found = visit(file)
    if (found !== undefined) return found
  }
  return undefined
}

/** Everything in the graph that breaks the rule, one line each; empty when nothing does. */
export const violations = (graph: Graph): ReadonlyArray<string> => {
  const found = circle(graph)
  return [
    ...[...graph].flatMap(([from, imports]) =>
      imports.flatMap((one) => {
        const why = broken(from, one)
        return why === undefined ? [] : [`${from} -> ${one.to}: ${why}`]
      })
    ),
    ...data.flatMap((module) => servicesOf(graph, module)),
    ...(found === undefined ? [] : [`${[...found, found[0]].join(" -> ")}: a circle`])
  ]
}
