/** A drive that a test sets, with its double, and what a source finds there. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as GoogleDrive from "docsluice/source/GoogleDrive"
import * as SourceFile from "docsluice/SourceFile"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, Redacted, Stream } from "effect"
import type * as GraphDouble from "./graphDouble.ts"
import * as Doubles from "./storeDoubles.ts"

type Files = ReturnType<typeof GoogleDrive.make>

export const text = (words: string): Uint8Array => new TextEncoder().encode(words)

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-drive-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** What the drives of all doubles have. */
export type Made = Pick<GraphDouble.Graph, "accounts" | "answer" | "drive">

/** A store, its double, and the folders of a test. */
export const world = <A extends Made>(double: (store: SourceConformance.Store) => A) =>
  Effect.map(workplace, (folder) => {
    const store = new SourceConformance.Store()
    const made = double(store)
    const client = Doubles.client(store, made.answer)
    const given = { accessToken: Redacted.make("given"), cache: join(folder, "cache") }
    const kept = { clientId: "app", cache: given.cache, tokens: join(folder, "tokens.json") }
    return { ...made, double: made, store, client, folder, given, kept }
  })

/** The paths of a source, each with its text, or the message of what is wrong with it. */
export const texts = (source: Files, client: HttpClient.HttpClient) =>
  source.files.pipe(
    Stream.mapEffect((found) => {
      if (found._tag === "Unsupported") return Effect.succeed([found.path, found._tag] as const)
      if (found._tag === "Unusable") return Effect.succeed([found.path, found.error.message] as const)
      return Effect.map(
        Effect.either(SourceFile.bytes(found)),
        (read) =>
          [found.path, read._tag === "Right" ? new TextDecoder().decode(read.right) : read.left.message] as const
      )
    }),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped,
    Effect.provideService(HttpClient.HttpClient, client)
  )

/** Fingerprints by path, without reading a file. */
export const versions = (source: Files, client: HttpClient.HttpClient) =>
  source.files.pipe(
    Stream.map((found) => [found.path, found._tag === "SourceFile" ? found.fingerprint : found._tag] as const),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped,
    Effect.provideService(HttpClient.HttpClient, client)
  )

export const refusal = (source: Files, client: HttpClient.HttpClient) =>
  Effect.map(Effect.flip(texts(source, client)), (error) =>
    error._tag === "SourceUnavailable" ? `${error.reason}: ${error.message}` : error._tag
  )

export const listings = ({ requests }: SourceConformance.Store): number =>
  requests.filter(({ kind }) => kind === "list").length
