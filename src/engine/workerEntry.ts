/**
 * Entry module of a worker thread: the parsers that only need to be stopped.
 *
 * @since 0.1.0
 */
import type { HtmlJob } from "./jobs.ts"
import { handler } from "./lanes/serve.ts"
import { serveWorker } from "./lanes/serveWorker.ts"

serveWorker({
  html: async () => {
    const { parse } = await import("./html/PageParser.ts")
    return handler<HtmlJob>("html", parse)
  }
})
