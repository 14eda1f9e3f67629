/** Spellings of what a program uses, as the command line and `Async` take them: sinks, embedders, models, chunkers. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Effect from "effect/Effect"
import { extensionOf } from "../base/fileType.ts"
import { OptionError } from "../base/optionError.ts"
import * as Suggestion from "../base/suggestion.ts"
import { targetOf } from "../sink/generations.ts"
import * as LocalTarget from "./localTarget.ts"
import type { Environment } from "./secret.ts"
import * as ServerTarget from "./serverTarget.ts"
import type { SinkKind, Target } from "./sinkKind.ts"
import type { sinkKinds } from "./spelling.ts"

export type SinkTarget = Target

const { fs, jsonl, lancedb } = LocalTarget

/** A file, or a database on a server. */
const libsql: SinkKind = {
  ...LocalTarget.libsql,
  form: "libsql:FILE",
  read: (target, environment) =>
    (/^[a-z][a-z0-9+.-]*:\/\//iu.test(target) ? ServerTarget.libsql : LocalTarget.libsql).read(target, environment),
  spellingOf: (id) => (id.includes("://") ? null : LocalTarget.libsql.spellingOf(id))
}
const { chroma, opensearch, pgvector, qdrant } = ServerTarget

const known: Readonly<Record<(typeof sinkKinds)[number], SinkKind>> = {
  jsonl,
  fs,
  libsql,
  pgvector,
  lancedb,
  chroma,
  qdrant,
  opensearch
}

const kinds: Readonly<Record<string, SinkKind>> = known

/** The names of all kinds. */
export const names: ReadonlyArray<string> = Object.keys(kinds)

/** Spelling of every kind with its target, for messages. */
export const forms: ReadonlyArray<string> = Object.values(kinds).map(({ form }) => form)

/** Kinds that `search` accepts. */
export const searchable: ReadonlyArray<string> = Object.entries(kinds).flatMap(([name, { searches }]) =>
  searches ? [name] : []
)

const split = (spelling: string) => {
  const colon = spelling.indexOf(":")
  const name = colon < 0 ? "" : spelling.slice(0, colon)
  return { kind: Object.hasOwn(kinds, name) ? kinds[name] : undefined, name, target: spelling.slice(colon + 1) }
}

/** Kinds of targets that are files, by the extension of one. */
const byExtension: Readonly<Record<string, string>> = {
  db: "libsql",
  sqlite: "libsql",
  sqlite3: "libsql",
  jsonl: "jsonl",
  ndjson: "jsonl",
  lance: "lancedb",
  lancedb: "lancedb"
}

/** What was probably meant by a word that names no kind: a misspelt kind, or a file without one. */
const meantBy = (name: string, target: string): string => {
  if (name !== "") return Suggestion.ending(name, names)
  const extension = extensionOf(target)
  const kind = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined
  return kind === undefined ? "" : `; did you mean ${kind}:${target}?`
}

/** Parses a spelling. Only the kind is repeated in an error: the rest may hold a password. */
export const parse = (
  spelling: string,
  environment: Environment
): Effect.Effect<SinkTarget, OptionError, FileSystem.FileSystem> => {
  const { kind, name, target } = split(spelling)
  if (kind !== undefined && target.trim() !== "") return kind.read(target, environment)
  const got = name === "" ? spelling : `${name}:${kind === undefined && target !== "" ? "…" : ""}`
  const meant = kind === undefined ? meantBy(name, target) : ""
  return new OptionError({ option: "to", problem: `expected ${forms.join(", ")}; got ${JSON.stringify(got)}${meant}` })
}

/** Spelling of a sink by its id, or of that of one of its generations; null where the id does not determine it, as for a server. */
export const spellingOf = (id: string): string | null => split(id).kind?.spellingOf(targetOf(id)) ?? null
