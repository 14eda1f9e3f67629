/**
 * Entry module of a lane's parser thread. Each parser is loaded with its first document.
 *
 * @since 0.1.0
 */
import type { HtmlJob, OfficeJob, PagesJob, PdfJob, RedactJob } from "./jobs.ts"
import { handler, LastAnswer } from "./lanes/serve.ts"
import { serveThread } from "./lanes/serveThread.ts"
import * as PdfModule from "./PdfModule.ts"

serveThread({
  html: async () => {
    const { parse } = await import("./html/PageParser.ts")
    return handler<HtmlJob>("html", parse)
  },
  office: async () => {
    const { parse } = await import("./office/OfficeParser.ts")
    return handler<OfficeJob>("office", parse)
  },
  pdf: async () => {
    const [{ parsePdf }, { completed }, module] = await Promise.all([
      import("./pdf/PdfEngine.ts"),
      import("./pdf/PdfMembers.ts"),
      PdfModule.load()
    ])
    return handler<PdfJob>("pdf", async (job) => {
      const { budget, bytes, ...options } = job
      const result = await parsePdf(bytes, { ...options, deadline: Date.now() + budget }, { module })
      if (result.kind === "success") return completed(result, job)
      return result.fatal ? new LastAnswer(result) : result
    })
  },
  redact: async () => {
    const { redact } = await import("./redaction/AnswerRedactor.ts")
    return handler<RedactJob>("redact", redact)
  },
  pages: async () => {
    const [{ countPages }, module] = await Promise.all([import("./pdf/PdfEngine.ts"), PdfModule.load()])
    return handler<PagesJob>("pages", async ({ bytes }) => {
      const pages = await countPages(bytes, { module })
      return pages === "fatal" ? new LastAnswer(null) : pages
    })
  }
})
