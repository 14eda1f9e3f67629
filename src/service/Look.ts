/**
 * The page of the server: drop a document and look at its pages, blocks, Markdown and chunks.
 *
 * `Server` answers `/` with it, and its calls below `/_look/`, where this service is provided. Nothing of the page comes from, or goes to,
 * another host. The page and its files need no key; where the server has keys, all that is about documents does, and a document
 * belongs to the plan of the key that brought it.
 *
 * Documents are held in files without a name: at most 500 MB and 200 of them, each for 10 minutes after its last use, none longer than
 * the server. Parses cost what they cost over HTTP; pictures of pages and chunks cost nothing.
 *
 * @since 0.1.0
 */
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as PageDrawing from "../engine/PageDrawing.ts"
import * as desks from "../internal/look/desk.ts"
import type { Host } from "../internal/look/host.ts"
import type { Store } from "../internal/look/store.ts"

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
  /** Documents that the page shows at once, to callers without a key; they stay as long as the server. Default none. */
  readonly files?: ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }> | undefined
  /**
   * The store that the page asks; default none.
   *
   * @internal
   */
  readonly store?: ((drawing: PageDrawing.PageDrawing) => Effect.Effect<Store, never, Scope.Scope>) | undefined
}

/**
 * The page, with a child process that draws pages of PDFs; it starts with the first picture.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ files = [], store }: Options = {}): Layer.Layer<Look> =>
  Layer.scoped(
    Look,
    Effect.gen(function* () {
      const drawing = yield* PageDrawing.make
      const asked = store === undefined ? undefined : yield* store(drawing)
      return {
        routes: (host) =>
          Effect.gen(function* () {
            // Its modules, those of the chunkers among them, are loaded with the page only.
            const routes = yield* Effect.promise(() => import("../internal/look/routes.ts"))
            const desk = yield* Effect.orDie(desks.make(host, drawing, asked, files))
            return routes.make(host, desk, asked)
          })
      }
    })
  )
