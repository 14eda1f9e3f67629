/**
 * Opens workbooks that are encrypted although nobody chose a password: Excel encrypts workbooks that are only protected against changes
 * with a default password, and every office program opens them without asking.
 *
 * Source: [MS-OFFCRYPTO] 2.4.2.3, which names the password.
 */
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as PackageEncryption from "./PackageEncryption.ts"
import * as WorkbookEncryption from "./WorkbookEncryption.ts"

const defaultPassword = "VelvetSweatshop"

const opened = (file: CompoundFile.CompoundFile, password: string): Uint8Array | undefined => {
  const stream = (name: string): CompoundFile.Entry | undefined => file.entries.find((entry) => entry.name === name)
  const content = (name: string): Uint8Array | undefined => {
    const entry = stream(name)
    return entry === undefined ? undefined : file.read(entry)
  }
  const info = content("EncryptionInfo")
  const sealed = content("EncryptedPackage")
  if (info !== undefined && sealed !== undefined) {
    return PackageEncryption.open(info, sealed, password)
  }
  const entry = stream("Workbook") ?? stream("Book")
  const workbook = entry === undefined ? undefined : file.read(entry)
  const plain = workbook === undefined ? undefined : WorkbookEncryption.open(workbook, password)
  return entry === undefined || plain === undefined ? undefined : file.replaced(entry, plain)
}

/** The document without encryption; the same bytes when they are not encrypted, are damaged, or have a user's password. Never throws. */
export const open = (bytes: Uint8Array, password = defaultPassword): Uint8Array => {
  const file = CompoundFile.open(bytes)
  if (file === undefined) {
    return bytes
  }
  try {
    return opened(file, password) ?? bytes
  } catch {
    // Damaged parameters: the parser reports that the file is encrypted.
    return bytes
  }
}
