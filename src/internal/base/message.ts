/**
 * Messages as data: words with references to options and commands, which each face spells its own way. What another system said is a part
 * that no face changes. A string is a message of words alone.
 */
import * as Schema from "effect/Schema"
import { flagOf, labelOf, type OptionName } from "./optionNames.ts"

const Option = Schema.Struct({
  /** Name as programs write it, `maxTokens` for instance. */
  option: Schema.String,
  /** The value to give, `adopt` of `claim` for instance. */
  value: Schema.optional(Schema.String)
})

const Command = Schema.Struct({
  /** Words after `docsluice`. */
  command: Schema.String
})

const Said = Schema.Struct({
  /** Text of another system, a file or a model. */
  said: Schema.String
})

const Part = Schema.Union(Schema.String, Option, Command, Said)

type Part = typeof Part.Type

/** Parts of a message in their order, as they are stored and sent. */
export const Parts = Schema.Array(Part)

export type Parts = typeof Parts.Type

export type Message = string | Parts

/** An error, an outcome or a warning. `parts` are there where the message names an option or a command. */
export interface Worded {
  /** In the words of programs. */
  readonly message: string
  readonly parts?: Parts | undefined
}

/** Fields of an outcome or a warning with such a message. */
export const fields = {
  message: Schema.String,
  /** The message with its options and commands as data, where it names any: `{ option: "newRoot" }`. */
  parts: Schema.optional(Parts)
}

/** Fields of an error with such a problem. */
export const problemFields = {
  /** What happened and what to do about it, in one line; options in the words of programs. */
  problem: Schema.String,
  /** The problem with its options and commands as data, where it names any. */
  template: Schema.optional(Parts)
}

export const option = (name: OptionName, value?: string): Part => ({
  option: name,
  ...(value !== undefined && { value })
})

export const command = (words: string): Part => ({ command: words })

export const said = (words: string): Part => ({ said: words })

/** The parts of a template; those of a message within it are joined to them. */
export const text = (words: TemplateStringsArray, ...within: ReadonlyArray<Message | Part | number>): Parts =>
  words.flatMap((between, at) => {
    const part = within[at - 1]
    const before =
      part === undefined ? [] : typeof part === "number" ? [String(part)] : Array.isArray(part) ? part : [part]
    return [...before, ...(between === "" ? [] : [between])]
  })

/** The spellings of one kind of reader. */
export interface Face {
  readonly option: (name: string, value: string | undefined) => string
  readonly command: (words: string) => string
}

/** For programs: options as members of an object. */
export const code: Face = {
  option: (name, value) => `\`${name}${value === undefined ? "" : `: ${JSON.stringify(value)}`}\``,
  command: (words) => `\`docsluice ${words}\``
}

/** For people at a terminal: options as flags. */
export const commandLine: Face = { option: flagOf, command: (words) => `docsluice ${words}` }

/** For visitors of the server's page: options by their labels there, others as the flags that the server is started with. */
export const page: Face = { ...commandLine, option: (name, value) => labelOf(name) ?? flagOf(name, value) }

const spelled = (part: Part, face: Face): string => {
  if (typeof part === "string") return part
  if ("said" in part) return part.said
  return "command" in part ? face.command(part.command) : face.option(part.option, part.value)
}

export const render = (message: Message, face: Face = code): string =>
  typeof message === "string" ? message : message.map((part) => spelled(part, face)).join("")

/** The parts of a message that faces spell differently. */
const partsOf = (message: Message): Parts | undefined =>
  typeof message !== "string" && message.some((part) => typeof part !== "string" && !("said" in part))
    ? message
    : undefined

/** A message as members of an error, an outcome or a warning. */
export const worded = (message: Message): Worded => {
  const parts = partsOf(message)
  return { message: render(message), ...(parts !== undefined && { parts }) }
}

/** A message as members of an error. */
export const problem = (message: Message): { readonly problem: string; readonly template?: Parts } => {
  const template = partsOf(message)
  return { problem: render(message), ...(template !== undefined && { template }) }
}

/** The parts of the message of an error: words in front of its problem. */
export const partsAfter = (words: string, template: Parts | undefined): Parts | undefined =>
  template === undefined ? undefined : [words, ...template]

/** The message and the parts of an error, without its other members. */
export const wordsOf = ({ message, parts }: Worded): Worded => ({ message, ...(parts !== undefined && { parts }) })

/** True where the message names the option. */
export const mentions = ({ parts = [] }: Worded, name: OptionName): boolean =>
  parts.some((part) => typeof part !== "string" && "option" in part && part.option === name)

/** The message of an error, an outcome or a warning, for every face. */
export const messageOf = ({ message, parts }: Worded): Message => parts ?? message

/** The message in the words of a face. */
export const inWordsOf = (face: Face, error: Worded): string => render(messageOf(error), face)
