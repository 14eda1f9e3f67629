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
  const info = CompoundFile.streamOf(file, "EncryptionInfo")
  const sealed = CompoundFile.streamOf(file, "EncryptedPackage")
  if (info !== undefined && sealed !== undefined) {
    return PackageEncryption.open(info.content, sealed.content, password)
  }
  const workbook = CompoundFile.streamOf(file, "Workbook") ?? CompoundFile.streamOf(file, "Book")
  const plain = workbook && WorkbookEncryption.open(workbook.content, password)
  return plain && workbook.replaced(plain)
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
