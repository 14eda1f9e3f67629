import type { FileError } from "../../SourceFile.ts"

const tags: Readonly<Record<FileError["_tag"], true>> = {
  FileUnreadable: true,
  FileChanged: true,
  FileTooLarge: true,
  UnsupportedFile: true,
  TextUnreadable: true
}

/** The error is about the file itself: nothing was answered to it. */
export const isFileError = <E extends { readonly _tag: string }>(error: E): error is Extract<E, FileError> =>
  Object.hasOwn(tags, error._tag)
