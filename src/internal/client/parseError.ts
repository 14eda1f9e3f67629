import * as Schema from "effect/Schema"
import { Foreign } from "../../Outcome.ts"
import { InvalidOptions } from "../../service/ParseOptions.ts"
import { ServiceError } from "../../service/ServiceError.ts"
import { FileError } from "../../SourceFile.ts"
import { RunStopped } from "./runState.ts"

/**
 * Everything that parsing one file can end with: an answer of the service, the file itself, an error of a parser of one's own (`Foreign`),
 * the stop of the run before the file's turn, or a request that the parser cannot answer, which `Parser.Service.terms` refuses before.
 *
 * @since 0.1.0
 * @category errors
 */
export const ParseError = Schema.Union(
  ...ServiceError.members,
  ...FileError.members,
  Foreign,
  RunStopped,
  InvalidOptions
)

/**
 * @since 0.1.0
 * @category errors
 */
export type ParseError = typeof ParseError.Type

/** True for an error of this package that a parse can end with; one of another's class may have the same tag. */
export const isParseError: (error: unknown) => error is ParseError = Schema.is(ParseError)
