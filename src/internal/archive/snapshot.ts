import { stat } from "node:fs/promises"
import type { ByteHandle, Stat } from "./byteHandle.ts"
import { Damaged } from "./damaged.ts"

/** The version of a file: another one has another snapshot. */
export interface Snapshot {
  /** Bytes. */
  readonly size: number
  readonly version: string
}

const of = (found: Stat): Snapshot => {
  if (!found.isFile()) throw new Damaged("it is not a regular file; name the archive itself", "Invalid")
  return { size: Number(found.size), version: `${found.mtimeNs}-${found.size}-${found.ino}` }
}

/** The snapshot of an open file. */
export const ofHandle = async (handle: ByteHandle): Promise<Snapshot> => of(await handle.stat({ bigint: true }))

/** The snapshot of what is at a path. */
export const ofPath = async (path: string): Promise<Snapshot> => of(await stat(path, { bigint: true }))

/** Fails unless the open file is the one of the snapshot. */
export const expect = async (handle: ByteHandle, { version }: Snapshot): Promise<void> => {
  if ((await ofHandle(handle)).version === version) return
  throw new Damaged("it was replaced while it was read; run again", "Failed")
}
