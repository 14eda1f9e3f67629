/**
 * Entry module of a worker thread: the parsers that only need to be stopped.
 *
 * @since 0.1.0
 */
import type { HtmlJob, PagesJob, PdfJob } from "./jobs.ts"
import { handler, LastAnswer } from "./lanes/serve.ts"
import { serveWorker } from "./lanes/serveWorker.ts"

serveWorker({
  html: async () => {
    const { parse } = await import("./html/PageParser.ts")
    return handler<HtmlJob>("html", parse)
  },
  pdf: async () => {
    const { parsePdf } = await import("./pdf/PdfEngine.ts")
    return handler<PdfJob>("pdf", async ({ budget, bytes, module, ...options }) => {
      const result = await parsePdf(bytes, { ...options, deadline: Date.now() + budget }, { module })
      return result.kind === "failure" && result.fatal ? new LastAnswer(result) : result
    })
  },
  pages: async () => {
    const { countPages } = await import("./pdf/PdfEngine.ts")
    return handler<PagesJob>("pages", async ({ bytes, module }) => {
      const pages = await countPages(bytes, { module })
      return pages === "fatal" ? new LastAnswer(null) : pages
    })
  }
})
