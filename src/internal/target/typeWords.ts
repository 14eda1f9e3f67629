/** The types of the files that are taken, in the words of a person: `pdf,md`, or `+tex` to take one more. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Readers from "../../Readers.ts"
import { grammarOf } from "../base/codeType.ts"
import { OptionError } from "../base/optionError.ts"
import { isPicture } from "../base/pictureType.ts"

export interface Types {
  /** The types that are taken; undefined: all that can be read. */
  readonly only: ReadonlyArray<string> | undefined
  /** The readers that are built in, and one of pictures, source code or plain text for each other type that was named. */
  readonly readers: Readers.Readers.Service
}

const spelled = /^(\+?)\.?([a-z0-9][a-z0-9_+~#-]*)$/u

interface Word {
  readonly added: boolean
  readonly type: string
}

const wordOf = (word: string): Either.Either<Word, OptionError> => {
  const [, plus, type] = spelled.exec(word.toLowerCase()) ?? []
  return type === undefined
    ? Either.left(
        new OptionError({
          option: "types",
          problem: `expected extensions such as pdf,md, or +tex to take one more; got ${JSON.stringify(word)}`
        })
      )
    : Either.right({ added: plus === "+", type })
}

const readerOf = (type: string): Readers.Reader | Readers.Picture => {
  if (isPicture(type)) return Readers.picture(type)
  return grammarOf(type) === undefined ? Readers.plainText(type) : Readers.sourceCode(type)
}

/** Words limit the types to those that are named, or with `+` add to those that are taken anyway; each value may hold several. */
export const parse = (given: ReadonlyArray<string>): Effect.Effect<Types, OptionError> =>
  Effect.gen(function* () {
    const words = yield* Effect.forEach(
      given.flatMap((value) => value.split(",")).map((word) => word.trim()),
      wordOf
    )
    const types = [...new Set(words.map(({ type }) => type))]
    const { whoReads } = yield* Readers.Readers
    const unread = types.filter((type) => whoReads(type) === undefined)
    const readers = yield* Effect.orDie(Readers.make(unread.map(readerOf)))
    return { only: words.every(({ added }) => added) ? undefined : types, readers }
  })
