/** Values as files of Windows programs hold them: text in a code page, and times. */

/** Encodings whose name does not follow from the number of their code page. */
const encodings: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1200: "utf-16le",
  10_000: "macintosh",
  20_127: "windows-1252",
  20_866: "koi8-r",
  20_932: "euc-jp",
  21_866: "koi8-u",
  50_220: "iso-2022-jp",
  50_221: "iso-2022-jp",
  50_222: "iso-2022-jp",
  51_932: "euc-jp",
  51_949: "euc-kr",
  54_936: "gb18030",
  65_001: "utf-8"
}

const labelOf = (page: number): string =>
  encodings[page] ?? (page > 28_590 && page < 28_607 ? `iso-8859-${page - 28_590}` : `windows-${page}`)

/** The decoder of a code page; that of windows-1252 for one that is not known. */
export const decoderOf = (page: number): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(labelOf(page))
  } catch {
    return new TextDecoder("windows-1252")
  }
}

/** Milliseconds from 1601 to 1970. */
const epoch = 11_644_473_600_000n

/** An ISO date of tenths of a microsecond since 1601; undefined for none, and for one that is out of bounds. */
export const dateOf = (ticks: bigint): string | undefined => {
  const milliseconds = Number(ticks / 10_000n - epoch)
  return ticks === 0n || Math.abs(milliseconds) > 8.64e15 ? undefined : new Date(milliseconds).toISOString()
}
