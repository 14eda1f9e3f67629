/** Help pages of the program and of each command, made of the commands' own flags and descriptions. */
import * as Effect from "effect/Effect"
import { usage } from "../Command.ts"
import { commands, type Loaded, type Name, names } from "../commands.ts"
import type { Completed, CompletedFlag, Values } from "../completion/Catalogue.ts"
import { type Spelling, typed } from "../Flag.ts"
import { flags as table, sections } from "../flags.ts"
import * as Everywhere from "../flags/everywhere.ts"
import { commandGroups, examples, mostUsed } from "./groups.ts"
import type { Block, Page, Term } from "./Page.ts"

/** The most used flags, or all of them. */
export type Detail = "help" | "help-all"

type Described = Loaded["command"]

/** Commands with more flags than this have a short page. */
const few = 11

const termOf = (flag: Spelling): Term => [typed(flag), flag.help]

/** Terms of the flags, section by section. */
const flagBlocks = (flags: ReadonlyArray<Spelling>): ReadonlyArray<Block> =>
  sections
    .map((section) => ({
      kind: "terms" as const,
      title: section.title,
      terms: section.flags.filter((flag) => flags.includes(flag)).map(termOf)
    }))
    .filter(({ terms }) => terms.length > 0)

const oneBlock = (blocks: ReadonlyArray<Block>): Block => ({
  kind: "terms",
  title: "Flags most used",
  terms: blocks.flatMap((block) => (block.kind === "terms" ? block.terms : []))
})

const pageOf = (command: Described, detail: Detail): Page => {
  const { description, examples, exits, flags, name } = command
  const short = detail === "help" && flags.length > few
  const blocks = flagBlocks(short ? flags.filter(({ common }) => common) : flags)
  return {
    words: [name, `--${detail}`],
    blocks: [
      {
        kind: "commands",
        title: "Usage",
        commands: [`docsluice ${usage(command)}${flags.length > 0 ? " [FLAGS]" : ""}`]
      },
      { kind: "text", text: description },
      ...(short ? [oneBlock(blocks)] : blocks),
      ...(short ? [] : [{ kind: "terms", title: "Every command", terms: Everywhere.settable.map(termOf) } as const]),
      ...(exits === undefined ? [] : [{ kind: "text", text: `Exit status: ${exits}.` } as const]),
      { kind: "commands", title: "Example", commands: examples },
      ...(short ? [{ kind: "text", text: `All ${flags.length} flags: docsluice ${name} --help-all` } as const] : [])
    ]
  }
}

const load = (name: Name): Effect.Effect<Described> =>
  Effect.map(
    Effect.promise((): Promise<Loaded> => commands[name]()),
    ({ command }) => command
  )

/** The page of a command. */
export const ofCommand = (name: Name, detail: Detail): Effect.Effect<Page> =>
  Effect.map(load(name), (command) => pageOf(command, detail))

const environment =
  "A flag may also be set in the environment (DOCSLUICE_MAX_TOKENS=256) or in docsluice.config.json or .yaml (max-tokens: 256)."

/** Commands by group; those without a group last. */
const commandBlocks: Effect.Effect<ReadonlyArray<Block>> = Effect.map(Effect.forEach(names, load), (all) => {
  const placed = new Set(commandGroups.flatMap(({ names }) => names))
  const others = { title: "Others", names: names.filter((name) => !placed.has(name)) }
  return [...commandGroups, others]
    .filter(({ names }) => names.length > 0)
    .map(({ names, title }) => ({
      kind: "terms",
      title,
      terms: names.flatMap((name) =>
        all.filter((command) => command.name === name).map((command): Term => [usage(command), command.summary])
      )
    }))
})

/** One flag for each name: of several, the first of the table. */
const distinct: ReadonlyArray<Spelling> = Object.values(table).filter(
  (flag, at, all) => all.findIndex(({ name }) => name === flag.name) === at
)

/** The program's page. */
export const ofProgram = (detail: Detail): Effect.Effect<Page> =>
  Effect.map(commandBlocks, (commandList) => {
    const opening: ReadonlyArray<Block> = [
      { kind: "text", text: "docsluice streams documents into RAG stores: docsluice COMMAND [FLAGS]" },
      { kind: "commands", title: "Examples", commands: [...examples] },
      ...commandList
    ]
    if (detail === "help") {
      return {
        words: ["--help"],
        blocks: [
          ...opening,
          { kind: "terms", title: "Flags most used (default)", terms: mostUsed },
          { kind: "text", text: "docsluice COMMAND --help shows a command, --help-all every flag." }
        ]
      }
    }
    const pages: Term = ["--help, --help-all", "this; after a command, its own"]
    return {
      words: ["--help-all"],
      blocks: [
        ...opening,
        ...flagBlocks(distinct),
        {
          kind: "terms",
          title: "Every command",
          terms: [...Everywhere.settable.map(termOf), pages, termOf(Everywhere.version)]
        },
        { kind: "text", text: environment }
      ]
    }
  })

const valuesOf = ({ form, kind, words }: Spelling): Values | null => {
  if (kind === "switch") return null
  if (words !== undefined) return words
  if (form === "DIR") return "folders"
  return /FILE|PATH/u.test(form) ? "files" : "text"
}

/** The beginning of the help, up to a colon, a semicolon or the default. */
const completed = (flag: Spelling): CompletedFlag => ({
  name: flag.name,
  meaning: flag.help.split(/[:;(]/u)[0]?.trim() ?? "",
  values: valuesOf(flag)
})

const operandsOf = ({ operand }: Described): Values =>
  operand?.words ?? (/PATH|FILE/u.test(operand?.form ?? "") ? "files" : "text")

/** Commands and flags as a shell completes them. */
export const catalogue: Effect.Effect<Completed> = Effect.map(Effect.forEach(names, load), (all) => ({
  commands: all.map((command) => ({
    name: command.name,
    meaning: command.summary,
    flags: command.flags.map(completed),
    operands: operandsOf(command)
  })),
  everywhere: [...Everywhere.settable, Everywhere.help, Everywhere.helpAll].map(completed)
}))

/** Every page. */
export const all: Effect.Effect<ReadonlyArray<Page>> = Effect.all([
  ofProgram("help"),
  ofProgram("help-all"),
  ...names.flatMap((name) => [ofCommand(name, "help"), ofCommand(name, "help-all")])
])
