/** Redaction as a step after a parse: asks the model where the mode wants one, then has a lane replace the values. */
import * as Effect from "effect/Effect"
import type { ParseData } from "../../internal/base/parseResponse.ts"
import type { EngineError } from "../../service/Engine.ts"
import * as ParseOptions from "../../service/ParseOptions.ts"
import { InternalServerError } from "../../service/ServiceError.ts"
import type { RedactJob } from "../jobs.ts"
import * as Members from "./Members.ts"
import type { Redactor } from "./Redactor.ts"
import type { Term } from "./TermSearch.ts"

/** The options of redaction with their defaults. */
export interface Settings {
  readonly mode: typeof ParseOptions.RedactPIIMode.Type
  readonly entities: ReadonlyArray<typeof ParseOptions.PiiEntity.Type>
  readonly replaceStyle: typeof ParseOptions.ReplaceStyle.Type
}

/** Undefined when no redaction was asked for. */
export const settings = ({ redactPII }: Pick<ParseOptions.Resolved, "redactPII">): Settings | undefined => {
  if (redactPII === false) return undefined
  const options: typeof ParseOptions.RedactPIIOptions.Type = redactPII === true ? {} : redactPII
  return {
    mode: options.mode ?? "accurate",
    entities: options.entities ?? ParseOptions.PiiEntity.literals,
    replaceStyle: options.replaceStyle ?? "tag"
  }
}

/** Texts that the model reads: the document once, and all values around it as lines of one text. */
const modelTexts = (data: ParseData): ReadonlyArray<string> => {
  const { blocks: _, html, links: __, markdown, pages, rawHtml, ...others } = data
  const lines: Array<string> = []
  Members.rewrite(
    others,
    ({ key, text }) => {
      lines.push(key === "" ? text : `${key}: ${text}`)
      return text
    },
    (block) => block
  )
  const document = markdown ?? pages?.map((page) => page.markdown).join("\n\n") ?? html ?? rawHtml
  return [...(document === undefined || document === null ? [] : [document]), lines.join("\n")]
}

const isPlace = (text: string, start: number, end: number): boolean =>
  Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length

const termsIn = (model: Redactor, options: ParseOptions.Resolved, { entities }: Settings, text: string) =>
  Effect.flatMap(
    model.find(text, { entities, zeroDataRetention: options.zeroDataRetention }),
    (spans): Effect.Effect<ReadonlyArray<Term>, EngineError> =>
      spans.every(({ end, start }) => isPlace(text, start, end))
        ? Effect.succeed(spans.map(({ end, entity, start }) => ({ entity, text: text.slice(start, end) })))
        : new InternalServerError({
            status: 500,
            error: "the model for redaction gave a span outside of the text"
          })
  )

const rulesOf: Readonly<Record<Settings["mode"], RedactJob["rules"]>> = {
  accurate: "none",
  aggressive: "aggressive",
  fast: "fast"
}

/**
 * The job that redacts the answer. `accurate` takes what the model finds, without one what the rules of `fast` find; `aggressive` takes what
 * its rules and, where there is one, the model find; `fast` asks no model.
 */
export const job = Effect.fnUntraced(function* (
  data: ParseData,
  options: ParseOptions.Resolved,
  wanted: Settings,
  model: Redactor | undefined
): Effect.fn.Return<RedactJob, EngineError> {
  const { entities, mode, replaceStyle } = wanted
  const asked = mode === "fast" || entities.length === 0 ? undefined : model
  const terms =
    asked === undefined ? [] : yield* Effect.forEach(modelTexts(data), (text) => termsIn(asked, options, wanted, text))
  const rules = mode === "accurate" && model === undefined ? "fast" : rulesOf[mode]
  const bytes = Buffer.from(JSON.stringify({ data, terms: terms.flat() }))
  return { kind: "redact", bytes, rules, entities, replaceStyle }
})

/** Says how the answer deviates from the mode; undefined when it does not. */
export const warning = ({ mode }: Settings, model: Redactor | undefined): string | undefined =>
  mode === "accurate" && model === undefined
    ? 'redactPII: mode "accurate" needs a language model, which this engine does not have; the rules of mode "fast" were used.'
    : undefined
