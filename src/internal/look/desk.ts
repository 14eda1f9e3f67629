/** What the page does with documents: takes them, parses them, splits them, draws their pages. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { PageDrawing } from "../../engine/PageDrawing.ts"
import * as PageProgress from "../../engine/PageProgress.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as SourceFile from "../../SourceFile.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import * as Limits from "../base/limits.ts"
import { packageVersion } from "../base/packageFiles.ts"
import { isPdf } from "../server/meteredParse.ts"
import { bounds } from "./bounds.ts"
import type { Caller, Host } from "./host.ts"
import type * as Messages from "./messages.ts"
import type * as pageFiles from "./pageFiles.ts"
import * as parsing from "./parsing.ts"
import * as Pictures from "./pictures.ts"
import * as Refused from "./refused.ts"
import * as samples from "./samples.ts"
import * as splitting from "./splitting.ts"
import type { Store } from "./store.ts"
import * as textReaders from "./textReaders.ts"
import * as Uploads from "./uploads.ts"
import { WeighedCache } from "./weighedCache.ts"

export interface Desk {
  readonly settings: (caller: Caller | undefined) => Effect.Effect<Messages.Settings>
  readonly receive: (
    request: HttpServerRequest.HttpServerRequest,
    name: string,
    caller: Caller
  ) => Effect.Effect<Messages.Received, Refused.Refused>
  readonly sample: (name: string, caller: Caller) => Effect.Effect<Messages.Received, Refused.Refused>
  readonly parse: (id: string, body: unknown, caller: Caller) => Effect.Effect<Messages.Parsed, Refused.Refused>
  /** Null while nothing is known of a parse, and without one. */
  readonly progress: (id: string, caller: Caller) => Effect.Effect<Messages.Progress | null, Refused.Refused>
  readonly chunks: (id: string, body: unknown, caller: Caller) => Effect.Effect<Messages.Chunked, Refused.Refused>
  /** The chunks as JSON lines, with the ids that they get under a root. */
  readonly lines: (id: string, body: unknown, caller: Caller) => Effect.Effect<string, Refused.Refused>
  /** Runs `answer` with a function that draws the page at a width, where there is such a page that may be drawn. */
  readonly picture: <A, E, R>(
    id: string,
    page: number,
    caller: Caller,
    answer: (draw: (width: number) => Effect.Effect<Uint8Array, Refused.Refused>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Refused.Refused, R>
  readonly remove: (id: string, caller: Caller) => Effect.Effect<void, Refused.Refused>
}

export interface Options {
  readonly host: Host
  readonly drawing: PageDrawing
  /** The store that can be asked. */
  readonly store: Store | undefined
  readonly page: pageFiles.PageFiles
  /** Documents that stay until the server ends. */
  readonly files: ReadonlyArray<SourceFile.SourceFile>
}

/** Kept with a file. */
interface Attached {
  /** Pages that can be drawn. */
  readonly pages: number
  /** Name of the root that it was given from. */
  root: string
  /** True once it was parsed without retention. */
  unretained: boolean
}

/** Estimated bytes of a parsed document: two for each character, and some for each block, be it of a layout or of a text. */
const weightOf = ({ blocks, markdown, pages, structure }: ParsedDocument): number => {
  const inBlocks = (blocks ?? []).reduce(
    (sum, { items }) => items.reduce((more, { content }) => more + 2 * content.length + 600, sum),
    0
  )
  const inPages = (pages ?? []).reduce((sum, { markdown: text }) => sum + 2 * text.length, 0)
  return 2 * markdown.length + inBlocks + inPages + 200 * (structure?.length ?? 0)
}

const received = (held: Uploads.Held<Attached>): Messages.Received => ({
  id: held.id,
  name: held.name,
  bytes: held.content.length,
  pages: held.attached.pages,
  text: held.by._tag === "Here",
  root: held.attached.root,
  until: held.until()
})

/** Puts a file where the page shows it; one that cannot be read any more is left out, with a line in the log. */
const given = (file: SourceFile.SourceFile, uploads: Uploads.Uploads<Attached>): Effect.Effect<void> =>
  SourceFile.bytes(file).pipe(
    Effect.flatMap((bytes) => uploads.put(file.path, bytes, "", true)),
    Effect.map(({ attached }) => void (attached.root = SourceFile.rootOf(file))),
    Effect.catchAll((error) =>
      Effect.logError(
        `${file.path} is not shown: ${error._tag === "Refused" ? error.body.error.message : error.message}`
      )
    )
  )

/** Root of what is dropped, as of an upload that `Corpus.add` takes. */
const dropped = "uploads"

/** Nothing of a document outlives the scope. Long, since its calls share the uploads and what is kept of them. */
export const make = Effect.fnUntraced(function* ({
  drawing,
  files,
  host,
  page,
  store
}: Options): Effect.fn.Return<Desk, never, Scope.Scope> {
  const version = packageVersion()
  const pictures = Pictures.make(drawing)
  const readers = yield* textReaders.make
  /** Of the parses that go on. */
  const progress = new Map<string, Messages.Progress>()
  const documents = new WeighedCache<ParsedDocument>(bounds.documents)
  const uploads = yield* Uploads.make<Attached>({
    folder: host.spool,
    idleTimeout: host.idleTimeout,
    readers,
    attach: ({ by, content, name }) =>
      Effect.map(
        by._tag === "Service" && isPdf({ content, extension: by.extension, filename: name })
          ? Effect.map(drawing.count(content), (pages) => pages ?? 0)
          : Effect.succeed(0),
        (pages) => ({ pages, root: dropped, unretained: false })
      ),
    removed: ({ id }) => {
      documents.delete(id)
      pictures.forget(id)
    }
  })
  // The first call for chunks does not wait for it.
  yield* Effect.forkScoped(Layer.build(Tokenizer.layerO200k))
  yield* Effect.forEach(files, (file) => given(file, uploads), { discard: true })

  const unretained = () =>
    Refused.make("DocumentGone", "Nothing of this document is retained after its parse, as its key or its options ask.")

  const parsed = <A>(
    id: string,
    { owner }: Caller,
    use: (document: ParsedDocument) => Effect.Effect<A, Refused.Refused>
  ) =>
    uploads.use(id, owner, () => {
      const document = documents.get(id)
      return document === undefined
        ? Refused.make("NotParsed", "The server does not hold the answer to this document.")
        : use(document)
    })

  return {
    settings: Effect.fnUntraced(function* (caller) {
      const folder = yield* page.samples
      return {
        version,
        keyed: host.keyed,
        pictures: caller === undefined ? host.pictures : !caller.zeroDataRetention,
        extensions: readers.readable,
        maxBytes: Limits.uploadBytes,
        keptFor: bounds.keptFor,
        samples: folder === undefined ? [] : yield* samples.listed(folder),
        documents: caller?.owner === "" ? uploads.staying().map(received) : [],
        store: store === undefined ? null : yield* store.settings
      }
    }),
    receive: (request, name, { owner }) => Effect.map(uploads.receive(request, name, owner), received),
    sample: Effect.fnUntraced(function* (name, { owner }) {
      const folder = yield* page.samples
      const bytes = folder === undefined ? null : yield* samples.read(folder, name)
      if (bytes === null) return yield* Refused.make("NotFound", "There is no sample of this name.")
      return received(yield* uploads.put(name, bytes, owner, false))
    }),
    parse: (id, body, caller) =>
      uploads.use(
        id,
        caller.owner,
        Effect.fnUntraced(function* (held) {
          const { attached } = held
          if (attached.unretained) return yield* unretained()
          const asked = { caller, upload: held, drawn: attached.pages, body }
          const read = yield* parsing.parse({ drawing, readers }, asked).pipe(
            Effect.locally(PageProgress.listener, ({ done, of, step }) => progress.set(id, { done, of, step })),
            Effect.ensuring(Effect.sync(() => progress.delete(id)))
          )
          documents.set(id, read.document, weightOf(read.document))
          if (read.unretained) {
            attached.unretained = true
            pictures.forget(id)
            held.discard()
            yield* held.shorten(bounds.unretainedFor)
          }
          return read.parsed
        })
      ),
    progress: (id, { owner }) => uploads.use(id, owner, () => Effect.sync(() => progress.get(id) ?? null)),
    chunks: (id, body, caller) => parsed(id, caller, (document) => splitting.split(document, body)),
    lines: (id, body, caller) => parsed(id, caller, (document) => splitting.lines(document, body)),
    picture: (id, page, caller, answer) =>
      uploads.use(
        id,
        caller.owner,
        Effect.fnUntraced(function* (held) {
          const { attached } = held
          if (caller.zeroDataRetention || attached.unretained) {
            return yield* Refused.make("NoPictures", "Of a document without retention no picture is made.")
          }
          if (page > attached.pages) {
            const pages = attached.pages === 0 ? "no pages that can be drawn" : `${attached.pages} pages`
            return yield* Refused.make("NoSuchPage", `The document has ${pages}.`)
          }
          return yield* answer((width) => pictures.of(held, page, width))
        })
      ),
    remove: (id, { owner }) => uploads.remove(id, owner)
  }
})
