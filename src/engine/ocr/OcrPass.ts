/**
 * The pass over a document that recognises the text of its pages without a sound text layer.
 *
 * @since 0.1.0
 */
import type { PageItems } from "../pdf/PageItem.ts"
import * as WasmModule from "../pdf/WasmModule.ts"
import * as OcrPackages from "./OcrPackages.ts"
import type { PageOcr } from "./PageOcr.ts"

/**
 * Pages without text, and the reason.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unread {
  /** 1-based, ascending. */
  readonly pages: ReadonlyArray<number>
  readonly why: string
}

/**
 * The pages after the pass, in their order.
 *
 * @since 0.1.0
 * @category models
 */
export interface OcrPass {
  readonly pages: ReadonlyArray<PageItems>
  readonly unread: ReadonlyArray<Unread>
  /** Number of pages that a recogniser would have read. */
  readonly unrecognised: number
  /** True if the WebAssembly instance broke. */
  readonly fatal: boolean
}

const late = "the time for OCR ran out; parse it again with a longer timeout (at most 300000), in a run with --refresh"

/** A failure that is not the document's: damaged data of a language, for instance. */
const broken = (reason: string): string =>
  `OCR failed (${reason.replace(/^(?:Error: )+/, "")}); if it does so again, remove its packages, run: ${OcrPackages.installCommand()}, and parse it again, in a run with --refresh`

/**
 * Recognises the pages that `mode` says, one after another until `deadline`, in milliseconds since the epoch. Never rejects: a page that
 * cannot be recognised stays as it is.
 *
 * @since 0.1.0
 * @category transformations
 */
export const run = async (
  bytes: Uint8Array,
  pages: ReadonlyArray<PageItems>,
  mode: "fast" | "auto" | "ocr",
  deadline: number,
  ocr: PageOcr | undefined
): Promise<OcrPass> => {
  const wanted = new Set(pages.filter((page) => mode === "ocr" || page.unreadable))
  if (wanted.size === 0) return { pages, unread: [], unrecognised: 0, fatal: false }
  if (mode === "fast" || ocr === undefined) {
    const numbers = [...wanted].map(({ pageNumber }) => pageNumber)
    const why =
      mode === "fast"
        ? "mode fast leaves OCR out"
        : `OCR needs packages; run: ${OcrPackages.installCommand()}, then parse it again, in a run with --refresh`
    return { pages, unread: [{ pages: numbers, why }], unrecognised: mode === "fast" ? 0 : wanted.size, fatal: false }
  }
  const document = ocr.document(bytes)
  const read: Array<PageItems> = []
  const unread = new Map<string, Array<number>>()
  let fatal = false
  const failed = (page: PageItems, why: string): void => {
    read.push({ ...page, unreadable: true })
    unread.set(why, [...(unread.get(why) ?? []), page.pageNumber])
  }
  for (const page of pages) {
    if (!wanted.has(page)) read.push(page)
    else if (Date.now() >= deadline) failed(page, late)
    else if (fatal) failed(page, "the PDF engine broke")
    else {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one page's picture at a time bounds the memory
        read.push(await document.read(page, deadline))
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        fatal ||= WasmModule.isTrap(cause)
        if (cause instanceof Error && cause.name === "Late") failed(page, late)
        else if (cause instanceof Error && cause.name === "Illegible") failed(page, reason)
        else failed(page, broken(reason))
      }
    }
  }
  return { pages: read, unread: [...unread].map(([why, numbers]) => ({ why, pages: numbers })), unrecognised: 0, fatal }
}
