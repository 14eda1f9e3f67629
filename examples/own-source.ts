// A source of one's own: documents out of rows, as from a database or an object store; opened only when their turn comes.
import { NodeRuntime } from "@effect/platform-node"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import { Console, Effect, Layer, Stream } from "effect"

const rows = [
  {
    key: "north/quay.html",
    version: "7",
    html: "<h1>North Quay</h1><p>Under repair since the storm of 9 February.</p>"
  },
  { key: "west/fell.html", version: "2", html: "<h1>West Fell</h1><p>Out of service.</p>" }
]

const articles: Stream.Stream<SourceFile.SourceFile> = Stream.map(
  Stream.fromIterable(rows),
  ({ html, key, version }) => {
    const bytes = new TextEncoder().encode(html)
    return SourceFile.make({
      root: "articles",
      path: key,
      size: bytes.length,
      fingerprint: { _tag: "Etag", value: version },
      open: Stream.make(bytes)
    })
  }
)

/** The `source` of a `Pipeline.run`; in mode `sync` an article whose row is gone leaves the store. */
export const source = Source.make({ name: "articles", files: articles })

const program = Stream.runForEach(Parser.parseAll({ concurrency: 4 })(articles), (document) =>
  Console.log(document.documentId, JSON.stringify(document.markdown))
)

NodeRuntime.runMain(Effect.provide(program, Layer.provide(Parser.layer(), Embedded.layer())))
