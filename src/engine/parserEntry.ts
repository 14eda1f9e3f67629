/** Entry module of a lane's parser thread. Each parser is loaded with its first document. */
import type {
  HtmlJob,
  OfficeJob,
  PagesJob,
  PdfJob,
  PictureJob,
  RedactJob,
  SchemaJob,
  SizesJob,
  TextJob
} from "./jobs.ts"
import { handler, LastAnswer } from "./lanes/serve.ts"
import { serveThread } from "./lanes/serveThread.ts"
import type { OcrSettings, PageOcr } from "./ocr/PageOcr.ts"
import * as PdfModule from "./PdfModule.ts"

let recogniser: Promise<PageOcr> | undefined

/** The recogniser of this lane, whose jobs have all the same settings but for their threads. Loaded with the first of them. */
const ocrOf = (settings: OcrSettings | "later" | undefined): Promise<PageOcr | undefined> => {
  if (settings === undefined || settings === "later") return Promise.resolve(undefined)
  recogniser ??= import("./ocr/PageOcr.ts").then(({ make }) => make(settings))
  return recogniser.then((own) => own.withThreads(settings.threads ?? 1))
}

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
    return handler<PdfJob>("pdf", async (job, { begun, beginPart, tellPages }) => {
      const { budget, bytes, ocr: settings, tellsPages, ...options } = job
      const time = budget === undefined ? { beginPart } : { deadline: begun + budget }
      const ocr = await ocrOf(settings)
      const result = await parsePdf(bytes, { ...options, ...time, ...(tellsPages && { tellPages }) }, { module, ocr })
      const answer = result.kind === "success" ? await completed(result, job) : result
      const makesRoom = settings === "later" && result.kind === "success" && result.unrecognised > 0
      return result.fatal || makesRoom ? new LastAnswer(answer) : answer
    })
  },
  redact: async () => {
    const { redact } = await import("./redaction/AnswerRedactor.ts")
    return handler<RedactJob>("redact", redact)
  },
  schema: async () => {
    const { check } = await import("./model/SchemaChecker.ts")
    return handler<SchemaJob>("schema", check)
  },
  text: async () => {
    const { read } = await import("./TextParser.ts")
    return handler<TextJob>("text", read)
  },
  pages: async () => {
    const [{ countPages }, module] = await Promise.all([import("./pdf/PdfEngine.ts"), PdfModule.load()])
    return handler<PagesJob>("pages", async ({ bytes }) => {
      const pages = await countPages(bytes, { module })
      return pages === "fatal" ? new LastAnswer(null) : pages
    })
  },
  picture: async () => {
    const [{ draw }, module] = await Promise.all([import("./pdf/PagePicture.ts"), PdfModule.load()])
    return handler<PictureJob>("picture", async (job) => {
      const { fatal, result } = await draw(job.bytes, job, module)
      return fatal ? new LastAnswer(result) : result
    })
  },
  sizes: async () => {
    const [{ sizes }, module] = await Promise.all([import("./pdf/PagePicture.ts"), PdfModule.load()])
    return handler<SizesJob>("sizes", async (job) => {
      const { fatal, result } = await sizes(job.bytes, job.pages, module)
      return fatal ? new LastAnswer(result) : result
    })
  }
})
