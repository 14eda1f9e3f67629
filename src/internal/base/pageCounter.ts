/** Counts the pages of a file on this machine, so that a plan or a budget knows them before anything is paid for. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as EnginePageCount from "../../engine/PageCount.ts"
import * as SourceFile from "../../SourceFile.ts"
import { extensionOf } from "./fileType.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class PageCounter extends Context.Tag("docsluice/PageCounter")<PageCounter, PageCounter.Service>() {}

export declare namespace PageCounter {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /**
     * Pages of a PDF; none for one that cannot be opened (damaged, encrypted). Opens the document without reading its pages, in
     * milliseconds. The bytes must not change until it returns.
     */
    readonly pages: (bytes: Uint8Array) => Effect.Effect<Option.Option<number>>
  }
}

/**
 * Counts with the embedded engine's PDF reader in one child process, which starts with the first document and ends with the
 * layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<PageCounter> = Layer.scoped(
  PageCounter,
  Effect.map(EnginePageCount.make, (pages) => ({ pages: (bytes) => Effect.map(pages(bytes), Option.fromNullable) }))
)

/**
 * Pages of a file: the page count of a PDF, none when it cannot be read or opened; 1 for every other format. Fits
 * `Pipeline.BudgetOptions.pagesOf`. Holds the bytes of a PDF until it is counted.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pagesOf =
  (counter: PageCounter.Service) =>
  (file: SourceFile.SourceFile): Effect.Effect<Option.Option<number>> =>
    extensionOf(file.path) === "pdf"
      ? SourceFile.bytes(file).pipe(
          Effect.flatMap(counter.pages),
          Effect.orElseSucceed(() => Option.none<number>())
        )
      : Effect.succeedSome(1)
