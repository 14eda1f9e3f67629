/**
 * A file of the local file system as a source file, for programs that know which file they want.
 *
 * @since 0.1.0
 */
import { open } from "./internal/localBytes.ts"
import { make as sourceFile, type SourceFile } from "./SourceFile.ts"

/**
 * The file at `absolute`, read in steps of 256 KiB each time it is opened. Its size is taken on trust: a file that has another
 * size when it is sent fails with `FileChanged`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Name of the collection, first part of the document id. */
  readonly root: string
  /** POSIX path below the root; its extension names the file type. */
  readonly path: string
  /** Where the file is. */
  readonly absolute: string
  /** Bytes. */
  readonly size: number
}): SourceFile =>
  sourceFile({
    root: options.root,
    path: options.path,
    size: options.size,
    open: open(options.path, options.absolute)
  })
