/** The pass over a document that recognises the text of its pages without a sound text layer. */
import type { PageItems } from "../pdf/PageItem.ts"
import * as WasmModule from "../pdf/WasmModule.ts"
import * as OcrInstall from "./OcrInstall.ts"
import type { PageOcr } from "./PageOcr.ts"

/** Pages without text, and the reason. */
export interface Unread {
  /** 1-based, ascending. */
  readonly pages: ReadonlyArray<number>
  /** True when the pages have a sound text layer, whose text they keep. */
  readonly textLayer: boolean
  readonly why: string
}

/** The pages after the pass, in their order. */
export interface OcrPass {
  readonly pages: ReadonlyArray<PageItems>
  readonly unread: ReadonlyArray<Unread>
  /** Number of pages that a recogniser would have read. */
  readonly unrecognised: number
  /** True when the time ran out before all of them were recognised. */
  readonly late: boolean
  /** True if the WebAssembly instance broke. */
  readonly fatal: boolean
}

const tooLate = "the time for OCR ran out; parse it again with a longer timeout"

/** A failure that is not the document's: damaged data of a language, for instance. */
const broken = (reason: string): string =>
  `OCR failed (${reason.replace(/^(?:Error: )+/, "")}); if it does so again, remove its packages, run: ${OcrInstall.command()}, and parse it again`

interface Job {
  readonly bytes: Uint8Array
  readonly pages: ReadonlyArray<PageItems>
  readonly mode: "fast" | "auto" | "ocr"
  /** Called before each page; returns the time at which it has to end, in milliseconds since the epoch. */
  readonly untilOfPage: () => number
  /** Called after each page with the number of those that are done, and of all. */
  readonly recognised: (done: number, wanted: number) => void
  readonly ocr: PageOcr | undefined
}

/**
 * Recognises the pages that `mode` says, as many side by side as the recogniser has threads. Never rejects: a page that cannot be
 * recognised stays as it is.
 */
export const run = async ({ bytes, mode, ocr, pages, recognised: tell, untilOfPage }: Job): Promise<OcrPass> => {
  const wanted = new Set(pages.filter((page) => mode === "ocr" || page.unreadable))
  if (wanted.size === 0) return { pages, unread: [], unrecognised: 0, late: false, fatal: false }
  if (mode === "fast" || ocr === undefined) {
    const why =
      mode === "fast"
        ? "mode fast leaves OCR out"
        : `OCR needs packages; run: ${OcrInstall.command()}, then parse it again`
    const unread = groupsOf(Array.from(wanted, (page) => ({ page, why })))
    return { pages, unread, unrecognised: mode === "fast" ? 0 : wanted.size, late: false, fatal: false }
  }
  const document = ocr.document(bytes, wanted.size)
  const read = [...pages]
  const unread: Array<Failed> = []
  let fatal = false
  const recognised = async (page: PageItems): Promise<PageItems> => {
    const failed = (why: string): PageItems => {
      unread.push({ page, why })
      return { ...page, unreadable: true }
    }
    const until = untilOfPage()
    if (Date.now() >= until) return failed(tooLate)
    if (fatal) return failed("the PDF engine broke")
    try {
      return await document.read(page, until)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      fatal ||= WasmModule.isTrap(cause)
      if (cause instanceof Error && cause.name === "Late") return failed(tooLate)
      return failed(cause instanceof Error && cause.name === "Illegible" ? reason : broken(reason))
    }
  }
  const left = pages.entries()
  let done = 0
  const work = async (): Promise<void> => {
    for (const [at, page] of left) {
      if (!wanted.has(page)) continue
      // oxlint-disable-next-line no-await-in-loop -- each thread reads one page after another
      read[at] = await recognised(page)
      tell(++done, wanted.size)
    }
  }
  await Promise.all(Array.from({ length: ocr.threads }, work))
  unread.sort((one, other) => one.page.pageNumber - other.page.pageNumber)
  const late = unread.some(({ why }) => why === tooLate)
  return { pages: read, unread: groupsOf(unread), unrecognised: 0, late, fatal }
}

interface Failed {
  readonly page: PageItems
  readonly why: string
}

/** The pages by reason, and by whether they keep the text of a text layer. */
const groupsOf = (failures: ReadonlyArray<Failed>): ReadonlyArray<Unread> => {
  const groups = new Map<string, Unread & { readonly pages: Array<number> }>()
  for (const { page, why } of failures) {
    const textLayer = !page.unreadable
    const group = groups.get(`${textLayer} ${why}`)
    if (group === undefined) groups.set(`${textLayer} ${why}`, { pages: [page.pageNumber], textLayer, why })
    else group.pages.push(page.pageNumber)
  }
  return [...groups.values()]
}
