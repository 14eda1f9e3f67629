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

/** A zip archive of one stored member, with its sizes, places and counts in fields of 64 bits. */
export const zip64 = (name: string, body: string): Buffer => {
  const bytes = Buffer.from(body)
  const header = (signature: string, extra: Buffer, rest: Buffer): Buffer => {
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(45, 0)
    fields.writeUInt16LE(0x800, 2)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(0xffffffff, 14)
    fields.writeUInt32LE(0xffffffff, 18)
    fields.writeUInt16LE(name.length, 22)
    fields.writeUInt16LE(extra.length, 24)
    return Buffer.concat([Buffer.from(signature, "latin1"), fields, rest, Buffer.from(name), extra])
  }
  const wide = (...values: ReadonlyArray<number>): Buffer => {
    const all = Buffer.alloc(values.length * 8)
    for (const [at, value] of values.entries()) all.writeBigUInt64LE(BigInt(value), at * 8)
    return all
  }
  const extra = (...values: ReadonlyArray<number>): Buffer =>
    Buffer.concat([Buffer.from([1, 0, values.length * 8, 0]), wide(...values)])
  const { length } = bytes
  const local = Buffer.concat([header("PK\x03\x04", extra(length, length), Buffer.alloc(0)), bytes])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(0xffffffff, 10)
  const central = header("PK\x01\x02\x2d\x00", extra(length, length, 0), rest)
  const record = Buffer.concat([
    Buffer.from("PK\x06\x06", "latin1"),
    wide(44),
    Buffer.from([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    wide(1, 1, central.length, local.length)
  ])
  const locator = Buffer.concat([
    Buffer.from("PK\x06\x07\0\0\0\0", "latin1"),
    wide(local.length + central.length),
    Buffer.from([1, 0, 0, 0])
  ])
  const end = Buffer.alloc(22, 0xff)
  end.write("PK\x05\x06\0\0\0\0", 0, "latin1")
  end.writeUInt16LE(0, 20)
  return Buffer.concat([local, central, record, locator, end])
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
