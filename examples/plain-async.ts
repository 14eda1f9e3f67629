// The same without Effect: promises, a function that splits, an object that stores, Ctrl-C to end in good order.
import * as Async from "docsluice/Async"

const stop = new AbortController()
process.once("SIGINT", () => stop.abort())

const summary = await Async.ingest({
  root: "examples/documents",
  patterns: ["*.{pdf,docx,html}"],
  chunker: {
    name: "sections",
    split: ({ markdown }) => {
      const starts = [...markdown.matchAll(/^#{1,6} /gm)].map(({ index }) => index).filter((start) => start > 0)
      return [0, ...starts].map((start, at) => ({ start, end: starts[at] ?? markdown.length }))
    }
  },
  sinks: [
    {
      id: "console:",
      write: async (chunks) => {
        for (const chunk of chunks) console.log(chunk.source, chunk.index, chunk.text.length)
      }
    }
  ],
  stop: stop.signal
})

for (const { message, source } of summary.failures) console.error(source, message)
process.exitCode = summary.exit
