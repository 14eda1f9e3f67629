/** Makes the pages that {@link Pages} finds; the build calls this. */
import * as Effect from "effect/Effect"
import type { Page } from "./help/Page.ts"
import * as pages from "./help/pages.ts"
import { version } from "./program.ts"

/** Every page: the help of the program and of each command, short and whole, and the version. */
export const renderPages = (): Promise<ReadonlyArray<Page>> =>
  Effect.runPromise(
    Effect.map(pages.all, (all) => [...all, { words: ["--version"], blocks: [{ kind: "text", text: version }] }])
  )
