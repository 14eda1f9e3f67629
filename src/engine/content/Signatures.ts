/** Signatures of file types that no parser here reads, so that a refusal can name the type. */

interface Signature {
  readonly what: string
  /** Signature in Latin-1. */
  readonly mark: string
  /** Offset of the mark; default 0. */
  readonly at?: number
  /** True for a short mark that may be a word of a text: then a zero byte has to be near. */
  readonly binary?: true
}

const signatures: ReadonlyArray<Signature> = [
  { what: "a PNG image", mark: "\x89PNG\r\n\x1a\n" },
  { what: "a JPEG image", mark: "\xff\xd8\xff" },
  { what: "a GIF image", mark: "GIF87a" },
  { what: "a GIF image", mark: "GIF89a" },
  { what: "a TIFF image", mark: "II*\0" },
  { what: "a TIFF image", mark: "MM\0*" },
  { what: "a WebP image", mark: "WEBP", at: 8 },
  { what: "a BMP image", mark: "BM", binary: true },
  { what: "an icon", mark: "\0\0\x01\0" },
  { what: "a Photoshop image", mark: "8BPS", binary: true },
  { what: "a HEIC image", mark: "ftypheic", at: 4 },
  { what: "a HEIC image", mark: "ftypmif1", at: 4 },
  { what: "an AVIF image", mark: "ftypavif", at: 4 },
  { what: "a JPEG XL image", mark: "\0\0\0\x0cJXL " },
  { what: "a JPEG 2000 image", mark: "\0\0\0\x0cjP  " },
  { what: "a DjVu document", mark: "AT&TFORM" },
  { what: "a video or sound in MP4", mark: "ftyp", at: 4, binary: true },
  { what: "a WAVE sound", mark: "WAVE", at: 8, binary: true },
  { what: "an AVI video", mark: "AVI ", at: 8, binary: true },
  { what: "an Ogg sound or video", mark: "OggS\0" },
  { what: "a FLAC sound", mark: "fLaC", binary: true },
  { what: "an MP3 sound", mark: "ID3", binary: true },
  { what: "a Matroska video", mark: "\x1a\x45\xdf\xa3" },
  { what: "a gzip archive", mark: "\x1f\x8b\x08" },
  { what: "a bzip2 archive", mark: "BZh91AY&SY" },
  { what: "an xz archive", mark: "\xfd7zXZ\0" },
  { what: "a Zstandard archive", mark: "\x28\xb5\x2f\xfd" },
  { what: "a 7-Zip archive", mark: "7z\xbc\xaf\x27\x1c" },
  { what: "a RAR archive", mark: "Rar!\x1a\x07" },
  { what: "a tar archive", mark: "ustar", at: 257 },
  { what: "an ELF program", mark: "\x7fELF" },
  { what: "a Windows program", mark: "MZ", binary: true },
  { what: "a Java class", mark: "\xca\xfe\xba\xbe" },
  { what: "a WebAssembly module", mark: "\0asm" },
  { what: "an SQLite database", mark: "SQLite format 3\0" },
  { what: "a Parquet table", mark: "PAR1", binary: true },
  { what: "a PostScript document", mark: "%!PS-Adobe-" },
  { what: "a font", mark: "OTTO\0" },
  { what: "a font", mark: "\0\x01\0\0\0" },
  { what: "a font", mark: "wOFF", binary: true },
  { what: "a font", mark: "wOF2", binary: true },
  { what: "a Windows help file", mark: "ITSF\x03\0\0\0" },
  { what: "an Outlook mailbox", mark: "!BDN", binary: true }
]

/** Number of leading bytes of a binary file that contain a zero byte. */
const zeroWithin = 512

/** Type of a file with these first bytes, as a noun with its article; undefined when they match no signature. */
export const find = (head: Buffer): string | undefined =>
  signatures.find(
    ({ at = 0, binary, mark }) =>
      head.toString("latin1", at, at + mark.length) === mark &&
      (binary === undefined || head.subarray(0, zeroWithin).includes(0))
  )?.what
