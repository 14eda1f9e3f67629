/** A command of the command line: how it is described, and what runs with the values of its flags and its operand. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Record from "effect/Record"
import type * as Scope from "effect/Scope"
import type { ExitStatus } from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { type Flag, type Line, read, type Spelling } from "./Flag.ts"
import type { Reader } from "./Reader.ts"
import type { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** The words of a command line that are no flags. */
export interface Operand<out A> {
  readonly kind: "operand"
  /** As on help pages, such as `PATH…`. */
  readonly form: string
  /** Fewest and most words. */
  readonly bounds: readonly [least: number, most: number]
  /** Words that a shell completes; default names of files where the form is of them. */
  readonly words?: ReadonlyArray<string> | undefined
  readonly of: (line: Line) => Either.Either<A, UsageError>
}

/** Exactly one word. */
export const one = <A>(reader: Reader<A>): Operand<A> => ({
  kind: "operand",
  form: reader.form,
  bounds: [1, 1],
  words: reader.choices,
  of: ({ operands: [word = ""] }) => read("", reader, word)
})

/** Any number of words. */
export const any = (form: string, words?: ReadonlyArray<string>): Operand<ReadonlyArray<string>> => ({
  kind: "operand",
  form,
  bounds: [0, Infinity],
  words,
  of: ({ operands }) => Either.right(operands)
})

/** At least one word. */
export const some = (form: string): Operand<ReadonlyArray<string>> => ({ ...any(form), bounds: [1, Infinity] })

/** Flags and at most one operand, each under the name of its value. */
type Taken = Readonly<Record<string, Flag<unknown> | Operand<unknown>>>

/** The values of what a command takes. */
export type Given<T extends Taken> = {
  readonly [K in keyof T]: T[K] extends Flag<infer A> | Operand<infer A> ? A : never
}

/** How a command is described on help pages and to a shell. */
export interface Description {
  readonly name: string
  /** In a few words, for the list of commands. */
  readonly summary: string
  readonly description: string
  /** Each exit status with its meaning; absent where the description names another command's. */
  readonly exits?: string | undefined
  readonly examples: ReadonlyArray<string>
}

export interface Command<R> extends Description {
  readonly operand: Operand<unknown> | undefined
  readonly flags: ReadonlyArray<Spelling>
  readonly run: (line: Line) => Effect.Effect<void, UsageError, R>
}

/** The command as it is typed, without flags. */
export const usage = ({ name, operand }: Pick<Command<never>, "name" | "operand">): string =>
  operand === undefined || operand.form === "" ? name : `${name} ${operand.form}`

const isOperand = (taken: Flag<unknown> | Operand<unknown>): taken is Operand<unknown> => taken.kind === "operand"

const valuesOf = <T extends Taken>(takes: T, line: Line): Effect.Effect<Given<T>, UsageError> =>
  Effect.filterOrDieMessage(
    Effect.all(Record.map(takes, (taken) => taken.of(line))),
    // A type predicate, since no type says that a record holds a value for each key of another; the values' types follow from the flags.
    (values): values is Given<T> => Object.keys(takes).every((name) => name in values),
    "a value of a command is missing"
  )

const countProblem = (count: number, command: Pick<Command<never>, "name" | "operand">): string | undefined => {
  const { name, operand } = command
  const [least, most] = operand?.bounds ?? [0, 0]
  if (count < least) return `${operand?.form} is missing: docsluice ${usage(command)}`
  if (count <= most) return undefined
  return most === 0 ? `docsluice ${name} takes flags only` : `one word too many: docsluice ${usage(command)}`
}

/**
 * A command that runs an effect with its values and closes what it opened; a failure is reported and sets the exit status. Wrong usage of
 * its flags is reported by the program.
 */
export const make = <const T extends Taken, E extends Failure.Failed, R>(
  description: Description,
  takes: T,
  run: (given: Given<T>) => Effect.Effect<void, E, R>,
  ending: Failure.Ending<NoInfer<E>> = {}
): Command<Exclude<R, Scope.Scope> | Terminal | ExitStatus> => {
  const all = Object.values(takes)
  const operand = all.find(isOperand)
  return {
    ...description,
    operand,
    flags: all.filter((taken) => !isOperand(taken)),
    run: (line) =>
      Effect.gen(function* () {
        const problem = countProblem(line.operands.length, { name: description.name, operand })
        if (problem !== undefined) return yield* new UsageError({ problem })
        const given = yield* valuesOf(takes, line)
        const json = "json" in given && given["json"] === true
        return yield* Effect.catchAll(Effect.scoped(run(given)), (error) => Failure.end(error, json, ending))
      })
  }
}
