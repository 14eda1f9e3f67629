/** Converts office documents to Markdown with anydoc. Runs in a child process only, since a hostile document may abort it. */
import { formatFromExtension, toDocument, toMarkdownBytes } from "@firecrawl/anydoc"
import type { Root } from "hast"
import * as BareAddresses from "../BareAddresses.ts"
import * as Base64Images from "../Base64Images.ts"
import * as TreeMembers from "../html/TreeMembers.ts"
import type { OfficeExtension, OfficeJob, OfficeResult, RefusalReason } from "../jobs.ts"
import { Refusal } from "../lanes/serve.ts"
import * as Language from "../Language.ts"
import * as DocumentProperties from "./DocumentProperties.ts"
import * as DocumentTree from "./DocumentTree.ts"
import * as DefaultPassword from "./encryption/DefaultPassword.ts"
import * as Mend from "./mend/Mend.ts"
import * as Mended from "./mend/Mended.ts"
import * as WorkbookCharts from "./mend/WorkbookCharts.ts"
import * as OfficeSource from "./OfficeSource.ts"
import * as SheetCharts from "./SheetCharts.ts"
import * as SheetRanges from "./SheetRanges.ts"
import * as SheetTables from "./SheetTables.ts"
import * as Slides from "./Slides.ts"
import * as SpannedTables from "./SpannedTables.ts"
import * as RaggedRows from "./sparse/RaggedRows.ts"
import * as SparseSheets from "./sparse/SparseSheets.ts"

const detail = (cause: Error): string => cause.message.replace(/^[a-z ]+:\s*/, "")

/** Messages for the owner of the file, by the codes of anydoc's errors. */
const explanations: Readonly<Record<string, (extension: string, cause: Error) => readonly [RefusalReason, string]>> = {
  encrypted: () => ["encrypted", "the file is encrypted; remove the password"],
  malformed: (extension, cause) => ["malformed", `the file is not a readable .${extension}: ${detail(cause)}`],
  unsupported: (extension, cause) => ["unsupported", `the file is not a .${extension}: ${detail(cause)}`],
  resourceLimit: (_, cause) => ["resourceLimit", `the file crosses a safety limit: ${detail(cause)}`],
  missingPart: (extension, cause) => ["missingPart", `the file is an incomplete .${extension}: ${detail(cause)}`]
}

const refusal = (cause: unknown, bytes: Uint8Array, extension: OfficeExtension): unknown => {
  if (!(cause instanceof Error && "code" in cause)) {
    return cause
  }
  const code = OfficeSource.isEncryptedPackage(bytes) ? "encrypted" : String(cause.code)
  const explain = explanations[code]
  return explain === undefined ? cause : new Refusal(...explain(extension, cause))
}

/** Converts by content first, since many files have the wrong extension, and by extension when the content is inconclusive. */
const convert = async <A>(
  by: (bytes: Uint8Array, format?: ReturnType<typeof formatFromExtension>) => Promise<A>,
  bytes: Uint8Array,
  extension: OfficeExtension
): Promise<A> => {
  const named = formatFromExtension(extension)
  if (extension === "csv") return by(bytes, named)
  try {
    return await by(bytes)
  } catch {
    return by(bytes, named)
  }
}

/** The members that are written from the document's structure, which takes several times as long to read as its Markdown. */
const members = async (mended: Mended.Mended, job: OfficeJob): Promise<TreeMembers.Members> =>
  job.members.length === 0 ? {} : TreeMembers.of(await treeOf(mended, job), job)

const treeOf = async ({ bytes, pieces }: Mended.Mended, job: OfficeJob): Promise<Root> =>
  DocumentTree.make(await convert(toDocument, bytes, job.extension), !job.removeBase64Images, pieces)

const isTrue = (value: boolean | (() => boolean)): boolean => (typeof value === "function" ? value() : value)

/** The Markdown with its spanned tables as HTML; as it is when the structure cannot be read, which does not concern the text. */
const withSpans = async (markdown: string, mended: Mended.Mended, job: OfficeJob): Promise<string> => {
  try {
    return SpannedTables.into(markdown, await treeOf(mended, job))
  } catch {
    return markdown
  }
}

/** File types with tables of positioned cells. */
const sheets: ReadonlySet<OfficeExtension> = new Set(["xlsx", "xlsm", "xlsb", "xls", "ods"])

const presentations: ReadonlySet<OfficeExtension> = new Set(["pptx", "pptm", "odp"])

/** The Markdown of the document as it is read: mended, unless its mended copy cannot be parsed. */
const readable = async (
  source: Uint8Array,
  extension: OfficeExtension,
  parse: (mended: Mended.Mended) => Promise<string>
): Promise<readonly [markdown: string, mended: Mended.Mended]> => {
  const mended = Mend.of(source, extension)
  if (mended.bytes === source) return [await parse(mended), mended]
  try {
    return [await parse(mended), mended]
  } catch {
    // The document itself says what is wrong with it, if anything is.
    const own = Mended.nothing(source)
    return [await parse(own), own]
  }
}

/** The slides; undefined when the copy that shows them cannot be parsed, which does not concern the document. */
const slidesOf = async (...given: Parameters<typeof Slides.of>): ReturnType<typeof Slides.of> => {
  try {
    return await Slides.of(...given)
  } catch {
    return undefined
  }
}

/** The used ranges of the sheets; none when the file's structure is damaged, which does not concern its text. */
const rangesOf = (...given: Parameters<typeof SheetRanges.of>): ReadonlyArray<string> => {
  try {
    return SheetRanges.of(...given)
  } catch {
    return []
  }
}

/** The Markdown with the charts of the sheets; without them when the file's structure is damaged. */
const charted = (markdown: string, bytes: Uint8Array): SheetCharts.Result => {
  try {
    return SheetCharts.into(markdown, bytes)
  } catch {
    return { markdown, charts: [] }
  }
}

/** Rejects with a `Refusal` when the document is at fault. */
export const parse = async (job: OfficeJob): Promise<OfficeResult> => {
  const { extension } = job
  const opened = DefaultPassword.open(job.bytes)
  const isSheet = sheets.has(extension)
  const bytes = isSheet ? WorkbookCharts.without(opened) : opened
  try {
    const closed = isSheet ? SparseSheets.closer(bytes) : { bytes, extents: new Map() }
    const source = OfficeSource.clean(closed.bytes, extension)
    if (extension === "csv") RaggedRows.check(source)
    const written = async (mended: Mended.Mended): Promise<string> => {
      const read = mended.completed(await convert(toMarkdownBytes, mended.bytes, extension))
      const addressed = BareAddresses.ofDocument(read)
      const markdown = job.removeBase64Images ? Base64Images.remove(addressed) : addressed
      return mended.spans !== false && SpannedTables.mayHaveSpans(markdown) && isTrue(mended.spans)
        ? withSpans(markdown, mended, job)
        : markdown
    }
    const [read, mended] = await readable(source, extension, written)
    const {
      markdown: tables,
      ranges,
      unread
    } = isSheet ? SheetTables.of(read, rangesOf(bytes, closed.extents)) : { markdown: read, ranges: [], unread: [] }
    const { charts, markdown } = isSheet ? charted(tables, bytes) : { charts: [], markdown: tables }
    const warnings = [
      ...mended.warnings,
      ...unread.map((sheet) => `Nothing was read of the sheet "${sheet}", which has cells.`)
    ]
    const pages =
      job.pages && presentations.has(extension)
        ? await slidesOf(mended.bytes, markdown, (copy) => written({ ...mended, bytes: copy }))
        : undefined
    return {
      markdown,
      ...(pages !== undefined && { pages }),
      ...(await members(mended, job)),
      ...(warnings.length > 0 && { warning: warnings.join(" ") }),
      properties: {
        ...Language.completed(DocumentProperties.of(bytes, extension), markdown),
        ...(ranges.length > 0 && { sheets: ranges }),
        ...(charts.length > 0 && { charts })
      }
    }
  } catch (cause) {
    throw refusal(cause, bytes, extension)
  }
}
