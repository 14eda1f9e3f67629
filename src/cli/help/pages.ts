/** Help pages of the program and of each command, made of the commands' own flags and descriptions. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Colour from "../Colour.ts"
import { commands, type Loaded, type Name, names } from "../commands.ts"
import type { CompletedCommand, Values } from "../completion/Catalogue.ts"
import type { Flag } from "../Flag.ts"
import { commandGroups, common, everywhere, examples, flagGroups, form, mostUsed, spelled } from "./groups.ts"
import type { Block, Page, Term } from "./Page.ts"

/** What is asked of a page: the most used flags, or all of them. */
export type Detail = "help" | "help-all"

type Described = Pick<Flag<unknown>, "name" | "kind" | "help" | "choices">

/** Commands with more flags than this have a short page. */
const few = 12

/** First paragraph of a command's help: its description. */
const description = (loaded: Loaded): string => {
  const find = (doc: HelpDoc.HelpDoc): HelpDoc.HelpDoc | undefined => {
    if (doc._tag === "Paragraph") return doc
    return doc._tag === "Sequence" ? (find(doc.left) ?? find(doc.right)) : undefined
  }
  const doc = find(CommandDescriptor.getHelp<unknown>(loaded.command.descriptor, CliConfig.defaultConfig))
  return doc === undefined ? "" : Colour.without(HelpDoc.toAnsiText(doc)).replaceAll(/\s+/gu, " ").trim()
}

interface Description {
  readonly text: string
  /** Each status with its meaning; empty where the description names none. */
  readonly exits: string
  readonly examples: ReadonlyArray<string>
}

/** Descriptions end with `Exit status: …. Example: …`. */
const parted = (all: string): Description => {
  const [rest = "", ...examples] = all.split(/\s*Example: /u)
  const [text = "", exits = ""] = rest.split(/\s*Exit status:? /u)
  return { text, exits: exits.replace(/\.$/u, ""), examples }
}

/** Terms of the flags, group by group. */
const flagBlocks = (flags: ReadonlyArray<Described>): ReadonlyArray<Block> => {
  const placed = new Set(flagGroups.flatMap(({ names }) => names))
  const groups = [
    ...flagGroups.map(({ names, title }) => ({
      title,
      flags: names.flatMap((name) => flags.filter((flag) => flag.name === name))
    })),
    { title: "Others", flags: flags.filter(({ name }) => !placed.has(name)) }
  ]
  return groups
    .filter((group) => group.flags.length > 0)
    .map(({ flags, title }) => ({
      kind: "terms",
      title,
      terms: flags.map((flag): Term => [spelled(flag), flag.help])
    }))
}

const oneBlock = (blocks: ReadonlyArray<Block>): Block => ({
  kind: "terms",
  title: "Flags most used",
  terms: blocks.flatMap((block) => (block.kind === "terms" ? block.terms : []))
})

const usageOf = (name: Name): readonly [usage: string, meaning: string] | undefined =>
  commandGroups.flatMap(({ commands }) => commands).find(([usage]) => usage.split(" ")[0] === name)

const ofLoaded = (name: Name, loaded: Loaded, detail: Detail): Page => {
  const flags: ReadonlyArray<Described> = loaded.spellings
  const { examples, exits, text } = parted(description(loaded))
  const short = detail === "help" && flags.length > few
  const shown = short ? flags.filter((flag) => common.has(flag.name)) : flags
  return {
    words: [name, `--${detail}`],
    blocks: [
      {
        kind: "commands",
        title: "Usage",
        commands: [`docsluice ${usageOf(name)?.[0] ?? name}${flags.length > 0 ? " [FLAGS]" : ""}`]
      },
      { kind: "text", text },
      ...(short ? [oneBlock(flagBlocks(shown))] : flagBlocks(shown)),
      ...(short ? [] : [{ kind: "terms", title: "Every command", terms: everywhere } as const]),
      ...(exits === "" ? [] : [{ kind: "text", text: `Exit status: ${exits}.` } as const]),
      ...(examples.length === 0 ? [] : [{ kind: "commands", title: "Example", commands: examples } as const]),
      ...(short ? [{ kind: "text", text: `All ${flags.length} flags: docsluice ${name} --help-all` } as const] : [])
    ]
  }
}

const load = (name: Name): Effect.Effect<Loaded> => Effect.promise((): Promise<Loaded> => commands[name]())

/** The page of a command. */
export const ofCommand = (name: Name, detail: Detail): Effect.Effect<Page> =>
  Effect.map(load(name), (loaded) => ofLoaded(name, loaded, detail))

const environment =
  "A flag may also be set in the environment (DOCSLUICE_MAX_TOKENS=256) or in docsluice.config.json or .yaml (max-tokens: 256)."

/** Commands by group; those without a group by their descriptions. */
const commandBlocks: Effect.Effect<ReadonlyArray<Block>> = Effect.gen(function* () {
  const known = commandGroups
    .map(({ commands, title }) => ({
      title,
      terms: commands.filter(([usage]) => names.some((name) => name === usage.split(" ")[0]))
    }))
    .filter(({ terms }) => terms.length > 0)
  const others = yield* Effect.forEach(
    names.filter((name) => usageOf(name) === undefined),
    (name) =>
      Effect.map(load(name), (loaded): Term => [name, (description(loaded).split(/[.:;,]/u)[0] ?? "").toLowerCase()])
  )
  const groups = others.length === 0 ? known : [...known, { title: "Others", terms: others }]
  return groups.map(({ terms, title }) => ({ kind: "terms", title, terms }))
})

/** The program's page. */
export const ofProgram = (detail: Detail): Effect.Effect<Page> =>
  Effect.gen(function* () {
    const commandList = yield* commandBlocks
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
    const flags = new Map<string, Described>()
    for (const name of names) {
      const { spellings } = yield* load(name)
      for (const flag of spellings) if (!flags.has(flag.name)) flags.set(flag.name, flag)
    }
    return {
      words: ["--help-all"],
      blocks: [
        ...opening,
        ...flagBlocks([...flags.values()]),
        {
          kind: "terms",
          title: "Every command",
          terms: [...everywhere, ["--help, --help-all", "this; after a command, its own"], ["--version", "the version"]]
        },
        { kind: "text", text: environment }
      ]
    }
  })

/** Words that a flag takes apart from its choices: those of the kinds of sinks, embedders and models that there are. */
const kinds: Effect.Effect<Readonly<Record<string, ReadonlyArray<string>>>> = Effect.map(
  Effect.promise(() =>
    Promise.all([
      import("../../internal/target/sinkTarget.ts"),
      import("../../internal/target/embedderTarget.ts"),
      import("../../internal/target/modelTarget.ts")
    ])
  ),
  ([sinks, embedders, models]) => ({
    to: sinks.names.map((name) => `${name}:`),
    embedder: embedders.words,
    service: ["embedded"],
    model: models.words,
    "agent-store": sinks.searchable.map((name) => `${name}:`)
  })
)

const valuesOf = (flag: Described, kinds: Readonly<Record<string, ReadonlyArray<string>>>): Values | null => {
  if (flag.kind === "switch") return null
  if (flag.choices !== undefined) return flag.choices
  const words = Object.hasOwn(kinds, flag.name) ? kinds[flag.name] : undefined
  if (words !== undefined) return words
  const shape = form(flag)
  if (shape === "DIR") return "folders"
  return /FILE|PATH/u.test(shape) ? "files" : "text"
}

/** Start of a text: up to a colon or a semicolon, or the default. */
const brief = (text: string): string => text.split(/[:;(]/u)[0]?.trim() ?? ""

const operandsOf = (name: Name): Values => {
  if (name === "completion") return ["bash", "zsh", "fish"]
  if (name === "agent") return ["run", "status", "trace", "snapshot", "cancel"]
  return /PATH|FILE/u.test(usageOf(name)?.[0] ?? "") ? "files" : "text"
}

/** Commands and flags as a shell completes them. */
export const catalogue: Effect.Effect<ReadonlyArray<CompletedCommand>> = Effect.forEach(names, (name) =>
  Effect.zipWith(load(name), kinds, (loaded, words): CompletedCommand => {
    const flags: ReadonlyArray<Described> = loaded.spellings
    return {
      name,
      meaning: usageOf(name)?.[1] ?? brief(description(loaded)),
      flags: flags.map((flag) => ({ name: flag.name, meaning: brief(flag.help), values: valuesOf(flag, words) })),
      operands: operandsOf(name)
    }
  })
)

/** Every page. */
export const all: Effect.Effect<ReadonlyArray<Page>> = Effect.all([
  ofProgram("help"),
  ofProgram("help-all"),
  ...names.flatMap((name) => [ofCommand(name, "help"), ofCommand(name, "help-all")])
])
