/** Files that are their owner's alone, replaced as a whole. */
import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"

/** The text; null where there is no such file. */
export const read = (file: string): Promise<string | null> =>
  readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null
    throw cause
  })

/** Makes the folder of a file. */
export const makeRoom = (file: string): Promise<unknown> => mkdir(dirname(file), { recursive: true, mode: 0o700 })

/** Replaces the file; after a kill it has the old text or the new one. */
export const write = async (file: string, text: string): Promise<void> => {
  await makeRoom(file)
  const aside = `${file}.${randomUUID()}.new`
  try {
    const handle = await open(aside, "wx", 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(aside, file)
  } finally {
    await rm(aside, { force: true })
  }
}
