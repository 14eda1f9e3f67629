/**
 * The part of the WebAssembly interface that is used here. Node has it, but its types are in the DOM library only; these declarations
 * merge with those.
 */
declare global {
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]?: string
    }
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** A compiled module. Survives `postMessage` and `workerData`. */
export type WasmModule = WebAssembly.Module

/** Compiles a module off the main thread. */
export const compile = (bytes: Uint8Array): Promise<WasmModule> => WebAssembly.compile(bytes)

/** True if a failure left an instance unusable: a trap, an exhausted memory or stack, a re-entrant call. */
export const isTrap = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.name === "RuntimeError" || cause instanceof RangeError || /unreachable|recursive use/i.test(cause.message))
