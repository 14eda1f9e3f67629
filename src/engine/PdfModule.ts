/** WebAssembly code of the PDF parser, compiled once per lane. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import * as WasmModule from "./pdf/WasmModule.ts"

export type PdfModule = WasmModule.WasmModule

const compile = async (): Promise<PdfModule> => {
  const file = createRequire(import.meta.url).resolve("@llamaindex/liteparse-wasm/liteparse_wasm_bg.wasm")
  return WasmModule.compile(await readFile(file))
}

let compiled: Promise<PdfModule> | undefined

/** Reads and compiles the module on the first call, which takes some 40 ms. The parser's JavaScript is not loaded here. */
export const load = (): Promise<PdfModule> => {
  compiled ??= compile()
  return compiled
}
