/**
 * The WebAssembly code of the PDF parser, compiled once for all workers.
 *
 * @since 0.1.0
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import * as Effect from "effect/Effect"
import { InternalServerError } from "../service/ServiceError.ts"
import * as WasmModule from "./pdf/WasmModule.ts"

/**
 * The compiled code; a structured clone shares it.
 *
 * @since 0.1.0
 * @category models
 */
export type PdfModule = WasmModule.WasmModule

const read = async (): Promise<PdfModule> => {
  const file = createRequire(import.meta.url).resolve("@llamaindex/liteparse-wasm/liteparse_wasm_bg.wasm")
  return WasmModule.compile(await readFile(file))
}

/**
 * Reads and compiles it; some 40 ms. The parser's JavaScript is not loaded here.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compile: Effect.Effect<PdfModule, InternalServerError> = Effect.tryPromise({
  try: read,
  catch: (cause) =>
    new InternalServerError({ status: 500, error: `the PDF parser could not be loaded: ${String(cause)}` })
})
