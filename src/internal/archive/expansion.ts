/** Files that hold files, found by a discovery, with the files in them: archives, messages with attachments, mailboxes. */
import { open } from "node:fs/promises"
import * as Chunk from "effect/Chunk"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import type { SourceUnavailable } from "../../Source.ts"
import { FileUnreadable, type SourceFile } from "../../SourceFile.ts"
import { type ContainerKind, containerKind } from "../base/containerKind.ts"
import * as FileType from "../base/fileType.ts"
import { type Containers, type FileTypes, type Found, type Inside, unusableFile } from "../discovery/foundFiles.ts"
import { absolute } from "../discovery/localFile.ts"
import * as ObjectFiles from "../objects/objectFiles.ts"
import type { ObjectEntry, ObjectStore, Parts } from "../objects/objectStore.ts"
import { unusable } from "./archive.ts"
import * as Attachments from "./attachments.ts"
import { type ByteHandle, ofBytes } from "./byteHandle.ts"
import { Damaged } from "./damaged.ts"
import * as Mbox from "./mbox.ts"
import { ranged } from "./memberBytes.ts"
import * as Zip from "./zip.ts"

/** Files in files that are opened; those further down are left out. */
const deepest = 4

/** Files that one file below the root may hold, those further down counted. */
const mostFiles = 100_000

interface Container {
  readonly path: string
  readonly kind: ContainerKind
  readonly open: () => Promise<ByteHandle>
}

const wholeOf = async (handle: ByteHandle): Promise<Uint8Array> => {
  try {
    const { size } = await handle.stat({ bigint: true })
    const parts: Array<Uint8Array> = []
    for await (const part of ranged(handle, 0, Number(size))) parts.push(part)
    return Buffer.concat(parts)
  } finally {
    await handle.close()
  }
}

/** A file in another one, in memory as long as there is room for it. */
const inner = <Entry extends ObjectEntry>({ parts }: Parts<Entry>, entry: Entry): (() => Promise<ByteHandle>) => {
  let held: WeakRef<Uint8Array> | undefined
  return async () => {
    const known = held?.deref()
    if (known !== undefined) return ofBytes(known)
    const all: Array<Uint8Array> = []
    for await (const part of parts(entry)) all.push(part)
    const bytes = Buffer.concat(all)
    held = new WeakRef(bytes)
    return ofBytes(bytes)
  }
}

/** Types of files that are opened, whether or not they are documents of their own. */
const any: FileTypes = { takes: () => true, readsHere: () => true }

class Expansion {
  private readonly kinds: ReadonlySet<ContainerKind>
  private readonly inside: Inside
  private left = mostFiles

  constructor(kinds: ReadonlySet<ContainerKind>, inside: Inside) {
    this.kinds = kinds
    this.inside = inside
  }

  /** The kind of a file by its name, if it is to be opened. */
  kindOf(path: string): ContainerKind | undefined {
    const kind = containerKind(FileType.extensionOf(path))
    return kind !== undefined && this.kinds.has(kind) ? kind : undefined
  }

  /** What is in a file; of a message after itself. */
  of(file: SourceFile, { kind, open }: Omit<Container, "path">, depth: number): Stream.Stream<Found> {
    const { path } = file
    const content = this.content({ path, kind, open }, depth)
    if (kind !== "mail") return content
    const extension = FileType.extensionOf(path)
    const itself: Found = this.inside.types.takes(extension) ? file : { _tag: "Unsupported", path, extension }
    return Stream.concat(Stream.succeed(itself), content)
  }

  private content(container: Container, depth: number): Stream.Stream<Found> {
    const { kind, open, path } = container
    if (depth > deepest) {
      return Stream.succeed(unknown(path, `it lies in ${deepest} files one in the other; take it out of them`))
    }
    const about = { address: path, failed: unusable(path), open }
    switch (kind) {
      case "zip":
        return this.members(Zip.make(about), path, depth)
      case "mbox":
        return this.members(Mbox.make(about), path, depth)
      default: {
        const bytes = async (): Promise<Uint8Array> => wholeOf(await open())
        const extension = FileType.extensionOf(path)
        return this.members(Attachments.make({ ...about, bytes, extension }), path, depth)
      }
    }
  }

  /** What is in a file; of one that cannot be listed to its end, more may be there. */
  private members<Entry extends ObjectEntry>(
    store: ObjectStore<Entry>,
    container: string,
    depth: number
  ): Stream.Stream<Found> {
    return store
      .list(
        [""],
        () => true,
        () => true
      )
      .pipe(
        Stream.mapConcat(identity),
        Stream.flatMap((entry): Stream.Stream<Found, SourceUnavailable> => {
          this.left -= 1
          return this.left < 0
            ? Stream.fail(
                unusable(container)(new Damaged(`it holds more than ${mostFiles} files; unpack it into a folder`))
              )
            : this.member(store, entry, `${container}/${entry.key}`, depth)
        }),
        Stream.catchAll(({ problem }) => Stream.succeed(unknown(container, problem)))
      )
  }

  private member<Entry extends ObjectEntry>(
    { bytes }: ObjectStore<Entry>,
    entry: Entry,
    path: string,
    depth: number
  ): Stream.Stream<Found> {
    const kind = ObjectFiles.isPath(path) ? this.kindOf(path) : undefined
    const place = kind === undefined ? this.inside : { ...this.inside, types: any }
    const found = ObjectFiles.found({ bytes }, place, entry, path)
    return kind === undefined || found._tag !== "SourceFile" || bytes._tag === "Answers"
      ? Stream.succeed(found)
      : this.of(found, { kind, open: inner(bytes, entry) }, depth + 1)
  }
}

const unknown = (path: string, problem: string): Found => ({
  _tag: "Unusable",
  path,
  error: new FileUnreadable({ path, reason: "Io", problem }),
  folder: true
})

/** Those of the files that are named, or lie below one that is; a name of nothing is a finding. */
const narrowed = (files: Stream.Stream<Found>, names: ReadonlySet<string>, root: string): Stream.Stream<Found> =>
  Stream.suspend(() => {
    const left = new Set(names)
    const isNamed = (found: Found): boolean => {
      const name = [...names].find((name) => found.path === name || found.path.startsWith(`${name}/`))
      if (name !== undefined) left.delete(name)
      return name !== undefined || (found._tag === "Unusable" && found.folder)
    }
    const missing = Stream.suspend(() =>
      Stream.fromIterable(
        Array.from(left, (path) => unusableFile(root, path, new FileUnreadable({ path, reason: "NotFound" })))
      )
    )
    return Stream.concat(Stream.filter(files, isNamed), missing)
  })

/** The files that a discovery finds, with those in them. */
export const make = (given: ReadonlyArray<ContainerKind>): Containers => {
  const kinds = new Set(given)
  const isOpened = (extension: string): boolean => {
    const kind = containerKind(extension)
    return kind !== undefined && kinds.has(kind)
  }
  const expand = (inside: Inside) => {
    const one = (found: Found): Stream.Stream<Found> => {
      const expansion = new Expansion(kinds, inside)
      const kind = found._tag === "SourceFile" ? expansion.kindOf(found.path) : undefined
      if (kind === undefined || found._tag !== "SourceFile") return Stream.succeed(found)
      const names = inside.only.get(found.path)
      const files = expansion.of(found, { kind, open: () => open(absolute(inside.root, found.path), "r") }, 1)
      return names === undefined ? files : narrowed(files, names, inside.name)
    }
    return <E>(all: Stream.Stream<Found, E>): Stream.Stream<Found, E> =>
      Stream.flatMap(Stream.chunks(all), (chunk) =>
        Chunk.some(chunk, ({ path }) => isOpened(FileType.extensionOf(path)))
          ? Stream.flatMap(Stream.fromChunk(chunk), one)
          : Stream.fromChunk(chunk)
      )
  }
  return {
    opens: isOpened,
    readsInPlace: (extension) => isOpened(extension) && containerKind(extension) !== "mail",
    expand
  }
}
