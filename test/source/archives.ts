/** Archives byte by byte, for those that no program makes. */
import { crc32, deflateRawSync } from "node:zlib"

/** A member of a zip archive; what is not given is as it should be. */
export interface ZipMember {
  readonly name: string | Buffer
  readonly body: string | Buffer
  readonly flags?: number
  readonly method?: number
  readonly size?: number
  readonly crc?: number
  /** Place of the local header that the directory names. */
  readonly at?: number
}

/** A zip archive. */
export const zip = (members: ReadonlyArray<ZipMember>, count = members.length): Buffer => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let at = 0
  for (const { body, flags = 0x800, method = 8, ...member } of members) {
    const name = Buffer.from(member.name)
    const bytes = Buffer.from(body)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(member.crc ?? crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(member.size ?? bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(member.at ?? at, 10)
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, central, name]))
    if (member.at === undefined) parts.push(local)
    if (member.at === undefined) at += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write("PK\x05\x06", 0, "latin1")
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listing, end])
}

/** A member of a tar archive. */
export interface TarMember {
  readonly name: string | Buffer
  readonly body?: string | Buffer
  readonly type?: string
  readonly link?: string
}

const block = ({ body = "", link = "", name, type = "0" }: TarMember): Buffer => {
  const bytes = Buffer.from(body)
  const header = Buffer.alloc(512)
  Buffer.from(name).copy(header, 0)
  header.write("0000644\0", 100)
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124)
  header.write("00000000001\0", 136)
  header.write("        ", 148)
  header.write(type, 156)
  header.write(link, 157)
  header.write("ustar\x0000", 257, "latin1")
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** A tar archive, with its end unless that is left out. */
export const tar = (members: ReadonlyArray<TarMember>, end = true): Buffer =>
  Buffer.concat([...members.map(block), Buffer.alloc(end ? 1024 : 0)])
