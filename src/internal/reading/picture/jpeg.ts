import { type Picture, Unfit } from "./page.ts"

/** Markers of frames: all but those of tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const colours: Readonly<Record<number, string>> = { 1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK" }

/** A JPEG as it is; only its size is read. */
export const jpeg = (bytes: Buffer): Picture => {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) break
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      const colour = colours[bytes.readUInt8(at + 9)]
      if (width === 0 || height === 0 || colour === undefined) break
      // Four channels are stored as their opposite by the programs that write them.
      const inverse = colour === "/DeviceCMYK" ? " /Decode [1 0 1 0 1 0 1 0]" : ""
      const entries = `/ColorSpace ${colour} /BitsPerComponent 8 /Filter /DCTDecode${inverse}`
      return { width, strips: [{ height, data: bytes, entries }] }
    }
    const alone = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += marker === 0xff ? 1 : alone ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  throw new Unfit("it is a damaged JPEG; save it again")
}
