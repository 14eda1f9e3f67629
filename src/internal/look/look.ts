/**
 * The page of the server: drop a document and look at its pages, blocks, Markdown and chunks.
 *
 * `Server` answers `/` with it, and its calls below `/_look/`, where this service is provided. Nothing of the page comes from, or goes to,
 * another host. The page and its files need no key; where the server has keys, all that is about documents does, and a document
 * belongs to the plan of the key that brought it.
 *
 * Documents are held in files without a name: at most 500 MB and 200 of them, each for 10 minutes after its last use, none longer than
 * the server. Parses cost what they cost over HTTP; pictures of pages and chunks cost nothing. The types of `Readers` can be dropped as
 * well: they are read here and cost nothing, those that are built in by a process that has 20 seconds for each.
 */
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as PageDrawing from "../../engine/PageDrawing.ts"
import { Readers } from "../../Readers.ts"
import * as SourceFile from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import * as Limits from "../base/limits.ts"
import { OptionError } from "../base/optionError.ts"
import { bounds } from "./bounds.ts"
import type { Host } from "./host.ts"
import { AskedStore } from "./store.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Look extends Context.Tag("docsluice/service/Look")<Look, Look.Service>() {}

export declare namespace Look {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** The routes of the page on a server, which may be served until the scope closes. Called by `Server`. */
    readonly routes: (host: Host) => Effect.Effect<HttpRouter.HttpRouter, never, Scope.Scope>
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Documents that the page of a server without keys shows at once; they stay as long as the server. Default none. */
  readonly files?: ReadonlyArray<SourceFile.SourceFile> | undefined
  /** Folder of the built page; default the one that the package holds. */
  readonly page?: string | undefined
}

/** The reason not to show these files, before any is read. */
const unshown = (
  files: ReadonlyArray<SourceFile.SourceFile>,
  { whoReads }: Readers.Service
): OptionError | SourceFile.FileError | undefined => {
  for (const { path, size } of files) {
    const extension = FileType.extensionOf(path)
    if (whoReads(extension) === undefined) return new SourceFile.UnsupportedFile({ path, extension })
    if (size === 0) return new SourceFile.FileUnreadable({ path, reason: "Empty" })
    const maxBytes = Limits.uploadBytes
    if (size > maxBytes) return new SourceFile.FileTooLarge({ path, bytes: size, maxBytes })
  }
  const sum = files.reduce((all, { size }) => all + size, 0)
  if (files.length <= bounds.files && sum <= bounds.bytes) return undefined
  const problem = `${files.length} files of ${sum} bytes, the limit is ${bounds.files} files of ${bounds.bytes} bytes; give fewer of them`
  return new OptionError({ option: "files", problem })
}

/**
 * The page, with a child process that draws pages of PDFs; it starts with the first picture. Fails when a file of the options is of a type
 * that is not read, is empty or too large, or all of them are.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ files = [], page }: Options = {}): Layer.Layer<Look, OptionError | SourceFile.FileError> =>
  Layer.scoped(
    Look,
    Effect.gen(function* () {
      const refused = unshown(files, yield* Readers)
      if (refused !== undefined) return yield* refused
      const drawing = yield* PageDrawing.make
      const store = yield* Effect.serviceOption(AskedStore)
      const asked = Option.isNone(store) ? undefined : yield* store.value(drawing)
      return {
        routes: (host) =>
          Effect.gen(function* () {
            // Its modules, those of the chunkers among them, are loaded with the page only.
            const [desks, pageFiles, routes] = yield* Effect.promise(() =>
              Promise.all([import("./desk.ts"), import("./pageFiles.ts"), import("./routes.ts")])
            )
            const built = pageFiles.make(page)
            const desk = yield* desks.make({ host, drawing, store: asked, page: built, files })
            const searches = asked !== undefined && files.length === 0
            return routes.make({ host, desk, files: built, store: asked, searches })
          })
      }
    })
  )
