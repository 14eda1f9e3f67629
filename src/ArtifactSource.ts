/**
 * The artifacts of an agent job as documents: a source for a pipeline, and a parser for the texts among them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FileType from "./internal/base/fileType.ts"
import { isRecord } from "./internal/base/rules.ts"
import { sha256 } from "./internal/base/sha256.ts"
import type { RequestError } from "./internal/client/agentError.ts"
import type { AgentEvent } from "./internal/client/agentEvent.ts"
import { fromData, type ParsedDocument } from "./ParsedDocument.ts"
import { Parser } from "./Parser.ts"
import * as Agent from "./service/Agent.ts"
import { AgentClient } from "./service/AgentClient.ts"
import * as Source from "./Source.ts"
import * as SourceFile from "./SourceFile.ts"

/** Extension of an artifact whose name has none that is parsed, by its kind. */
const extensions: Readonly<Record<string, string>> = { markdown: "md", html: "html", json: "json", csv: "csv" }

const texts: ReadonlySet<string> = new Set(["md", "markdown", "txt", "text", "json"])

const isText = (path: string): boolean => texts.has(FileType.extensionOf(path))

const isParsed = (name: string): boolean => isText(name) || ["html", "htm", "csv"].includes(FileType.extensionOf(name))

type Updated = Extract<AgentEvent, { readonly type: "artifact.updated" }>

/** A name as a path below a root. */
const safe = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\\]/gu, "_")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/")

const nameOf = ({ artifactId, record, snapshotId = "" }: Updated): string => {
  const { artifact } = record
  const given = isRecord(artifact) && typeof artifact["path"] === "string" ? safe(artifact["path"]) : ""
  return given || safe(artifactId ?? "") || snapshotId
}

const pathOf = (event: Updated): string => {
  const name = nameOf(event)
  return isParsed(name) ? name : `${name}.${extensions[event.kind ?? ""] ?? "txt"}`
}

/** Last version of each artifact, by its path; two artifacts of one name are told apart by their ids. */
const latest = (events: ReadonlyArray<Updated>): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>()
  const versions = new Map<string, string>()
  for (const event of events) {
    const { artifactId = "", snapshotId } = event
    if (snapshotId === undefined) continue
    const path = pathOf(event)
    const owner = owners.get(path) ?? artifactId
    owners.set(path, owner)
    versions.set(owner === artifactId ? path : `${safe(artifactId) || "artifact"}/${path}`, snapshotId)
  }
  return versions
}

const files = (
  jobId: string,
  polling: Agent.Polling
): Stream.Stream<SourceFile.SourceFile, RequestError, AgentClient> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* AgentClient
      const updates = yield* Agent.events(jobId, polling).pipe(
        Stream.runFold<ReadonlyArray<Updated>, AgentEvent>([], (all, event) =>
          event.type === "artifact.updated" ? [...all, event] : all
        )
      )
      return Stream.mapEffect(Stream.fromIterable(latest(updates)), ([path, snapshotId]) =>
        Effect.map(client.snapshot(jobId, snapshotId), ({ snapshot }) =>
          SourceFile.fromBytes({ root: jobId, path, bytes: Buffer.from(snapshot) })
        )
      )
    })
  )

/**
 * The artifacts of a job, each in its last version, once the job has ended. A document's id is the job's id and the artifact's name, and
 * depends on nothing else; the name gets an extension by the artifact's kind where it has none that is parsed. Holds the events of
 * artifacts, and one text at a time. Fails when a request does.
 *
 * Texts need {@link layerParser}:
 *
 * ```ts
 * import { ArtifactSource, AutoChunker, ChunkSink, DeadLetter, Embedded, Parser, Pipeline, Tokenizer } from "docsluice"
 * import { Effect, Layer } from "effect"
 *
 * const stored = (jobId: string) =>
 *   Effect.gen(function* () {
 *     const sinks = [yield* ChunkSink.ChunkSink]
 *     return yield* Pipeline.run({ source: ArtifactSource.make(jobId), chunker: AutoChunker.make(), sinks })
 *   }).pipe(
 *     Effect.provide(ArtifactSource.layerParser.pipe(Layer.provide(Parser.layer()), Layer.provide(Embedded.layer()))),
 *     Effect.provide([Tokenizer.layerO200k, DeadLetter.layerMemory])
 *   )
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (jobId: string, polling: Agent.Polling = {}): Source.Source<RequestError, AgentClient> =>
  Source.make({ name: jobId, files: files(jobId, polling) })

/** A text in a fence that it cannot end. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}json\n${text.trimEnd()}\n${fence}\n`
}

const read = (
  file: SourceFile.SourceFile
): Effect.Effect<ParsedDocument, SourceFile.FileUnreadable | SourceFile.FileChanged> =>
  Effect.map(SourceFile.bytes(file), (bytes) => {
    const text = new TextDecoder().decode(bytes)
    const markdown = FileType.extensionOf(file.path) === "json" ? fenced(text) : text
    return fromData(file, sha256(bytes), { markdown, metadata: { sourceURL: file.path } })
  })

const over = (parser: Parser.Service): Parser.Service => ({
  ...parser,
  parse: (file, request) => (isText(file.path) ? read(file) : parser.parse(file, request)),
  readsHere: (file) =>
    isText(file.path) || parser.readsHere === undefined ? Effect.succeed(isText(file.path)) : parser.readsHere(file)
})

/**
 * A parser that takes Markdown, text and JSON as they are, without a service (JSON as a code block), and gives any other file to the
 * parser of the context: HTML and CSV are parsed by that.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerParser: Layer.Layer<Parser, never, Parser> = Layer.effect(Parser, Effect.map(Parser, over))
