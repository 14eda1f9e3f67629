// A source of your own: documents from rows, as of a database or an object store; each is opened only when it is parsed.
import { NodeRuntime } from "@effect/platform-node"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
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

/** Passed to `Pipeline.run` as `source`. */
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

const program = Stream.runForEach(Parser.parseAll({ concurrency: 4 })(articles), (document) =>
  Console.log(document.documentId, JSON.stringify(document.markdown))
)

NodeRuntime.runMain(Effect.provide(program, Layer.provide(Parser.layer(), Embedded.layer())))
