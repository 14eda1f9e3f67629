// Entry points as a program's compiler sees them, with no optional package installed.
import * as docsluice from "docsluice"
import * as Async from "docsluice/Async"
import * as Client from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import * as Server from "docsluice/service/Server"
import * as Chroma from "docsluice/sinks/Chroma"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Qdrant from "docsluice/sinks/Qdrant"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer } from "effect"

export const markdown: Promise<string> = Async.parse("docs/handbook.pdf").then((document) => document.markdown)

export const parser: Layer.Layer<docsluice.Parser.Parser, unknown> = Layer.provide(
  docsluice.Parser.layer(),
  Embedded.layer()
)

export const source: Effect.Effect<unknown, unknown, unknown> = Effect.scoped(Jsonl.make({ file: "chunks.jsonl" }))

export const all = { Chroma, Client, Filesystem, LanceDb, LibSql, PgVector, Qdrant, Server, SinkConformance }
