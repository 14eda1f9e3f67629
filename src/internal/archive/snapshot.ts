import type { FileHandle } from "node:fs/promises"
import { stat } from "node:fs/promises"
import { Damaged } from "./damaged.ts"

/** The version of a file: another one has another snapshot. */
export interface Snapshot {
  /** Bytes. */
  readonly size: number
  readonly version: string
}

type Stat = { readonly size: bigint; readonly mtimeNs: bigint; readonly ino: bigint; readonly isFile: () => boolean }

const of = (found: Stat): Snapshot => {
  if (!found.isFile()) throw new Damaged("it is not a regular file; name the archive itself", "Invalid")
  return { size: Number(found.size), version: `${found.mtimeNs}-${found.size}-${found.ino}` }
}

/** The snapshot of an open file. */
export const ofHandle = async (handle: FileHandle): Promise<Snapshot> => of(await handle.stat({ bigint: true }))

/** The snapshot of what is at a path. */
export const ofPath = async (path: string): Promise<Snapshot> => of(await stat(path, { bigint: true }))

/** Fails unless the open file is the one of the snapshot. */
export const expect = async (handle: FileHandle, { version }: Snapshot): Promise<void> => {
  if ((await ofHandle(handle)).version === version) return
  throw new Damaged("it was replaced while it was read; run again", "Failed")
}
