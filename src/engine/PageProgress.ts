/** How many pages of a PDF are read, told while it is parsed to whoever listens. */
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import type { Pages } from "./jobs.ts"

/** Listener of the parses of a fiber and of those that it starts; undefined where nobody listens, and lanes then tell nothing. */
export const listener: FiberRef.FiberRef<((pages: Pages) => void) | undefined> = globalValue(
  Symbol.for("docsluice/engine/PageProgress"),
  () => FiberRef.unsafeMake<((pages: Pages) => void) | undefined>(undefined)
)
