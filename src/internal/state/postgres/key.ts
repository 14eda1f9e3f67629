import { createHash } from "node:crypto"
import { rootOf } from "../../../SourceFile.ts"
import type { Key } from "../ledger/entry.ts"

/** Key of a document: a part of the SHA-256 of its root and path, as PostgreSQL writes a `uuid`. */
export const keyOf = (root: string, path: string): string =>
  createHash("sha256").update(`${root}\0${path}`).digest("hex").slice(0, 32)

export const keyOfDocument = (key: Key): string => keyOf(rootOf(key), key.path)
