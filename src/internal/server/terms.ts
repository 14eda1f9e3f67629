import * as Option from "effect/Option"
import { optionsHash } from "../../ParseCache.ts"
import type { Means } from "../../ParsedDocument.ts"
import type { Client } from "../../service/Client.ts"
import { type ParseOptions, resolve } from "../../service/ParseOptions.ts"
import type { SourceFile } from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import * as Limits from "../base/limits.ts"
import * as Credits from "./credits.ts"

/**
 * Cost of an answer, in pages and credits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cost {
  readonly pages: number
  readonly credits: number
}

/**
 * Identity, options and prices of a parser, the same for every file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Terms {
  /** Base address, or `embedded` and the engine's version. */
  readonly identity: string
  /** From `ParseCache.optionsHash`. */
  readonly optionsHash: string
  /** True when answers may be cached; false with `zeroDataRetention`. */
  readonly retain: boolean
  /** True when answers cost nothing, whatever `creditsUsed` they name; default false. */
  readonly free?: boolean | undefined
  /** Upper bound of a file's cost; `pages` is its page count, null when unknown. */
  readonly worstCase: (file: SourceFile, pages: number | null) => Cost
  /** What the service can do now about what earlier answers lacked; default nothing. */
  readonly means?: Means | undefined
}

/** The terms of answers of a service to these options. */
export const termsOf = (
  { abilities = [], free, identity }: Pick<Client.Service, "abilities" | "free" | "identity">,
  options: ParseOptions
): Terms => {
  const resolved = resolve(options)
  const most = resolved.pdf.maxPages ?? Limits.maxPages.max
  return {
    identity,
    optionsHash: optionsHash(options),
    retain: !resolved.zeroDataRetention,
    free,
    means: {
      ocr: abilities.includes("ocr"),
      timeout: options.timeout === undefined && abilities.includes("parts") ? null : resolved.timeout
    },
    worstCase: (file, known) => {
      const type = FileType.fromName(file.path)
      // Read on this machine, or not at all.
      if (Option.isNone(type)) return { pages: 1, credits: 0 }
      const pdf = type.value === "pdf"
      const pages = pdf ? Math.min(known ?? most, most) : 1
      return { pages, credits: free === true ? 0 : Credits.ofParse(resolved, { numPages: pages }) }
    }
  }
}
