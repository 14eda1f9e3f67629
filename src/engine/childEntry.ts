/**
 * Entry module of a child process: the parsers that can end their process.
 *
 * @since 0.1.0
 */
import type { OfficeJob } from "./jobs.ts"
import { handler } from "./lanes/serve.ts"
import { serveChild } from "./lanes/serveChild.ts"

serveChild({
  office: async () => {
    const { parse } = await import("./office/OfficeParser.ts")
    return handler<OfficeJob>("office", parse)
  }
})
