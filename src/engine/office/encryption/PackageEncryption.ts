/**
 * Office Open XML documents with a password: the zip archive as an encrypted stream of a compound file.
 *
 * Source: [MS-OFFCRYPTO] 2.3.4: ECMA-376 standard encryption (AES in ECB mode) and agile encryption (AES in CBC mode, by
 * segments of 4096 bytes).
 */
import { createDecipheriv, createHash } from "node:crypto"
import * as XmlText from "../XmlText.ts"
import { hash, littleEndian, utf16 } from "./Digest.ts"

/** Upper bound of the hashing rounds that a file may ask for; Office uses 100,000. */
const mostRounds = 500_000

const segmentBytes = 4096

/** The bytes cut or padded to this length. */
const fitted = (bytes: Uint8Array, length: number, filler: number): Buffer =>
  bytes.length >= length
    ? Buffer.from(bytes.subarray(0, length))
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, filler)])

const stretched = (algorithm: string, salt: Uint8Array, password: string, rounds: number): Buffer => {
  const first = hash(algorithm, salt, utf16(password))
  const input = Buffer.concat([littleEndian(0), first])
  for (let round = 0; round < rounds; round++) {
    input.writeUInt32LE(round)
    createHash(algorithm).update(input).digest().copy(input, 4)
  }
  return input.subarray(4)
}

const decipher = (name: string, key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer => {
  const cipher = createDecipheriv(name, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** The complete 16-byte blocks; remaining bytes are not data. */
const blocks = (data: Uint8Array): Uint8Array => data.subarray(0, data.length & ~15)

const sizeOf = (content: Buffer): number => Math.min(Number(content.readBigUInt64LE(0)), content.length - 8)

const openStandard = (info: Buffer, content: Buffer, password: string): Uint8Array | undefined => {
  const headerBytes = info.readUInt32LE(8)
  const keyBytes = info.readUInt32LE(12 + 16) >> 3 || 16
  const verifier = info.subarray(12 + headerBytes)
  const salt = verifier.subarray(4, 20)
  const final = hash("sha1", stretched("sha1", salt, password, 50_000), littleEndian(0))
  const half = (pad: number): Buffer =>
    hash(
      "sha1",
      Buffer.alloc(64, pad).map((byte, at) => byte ^ (final[at] ?? 0))
    )
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes)
  const cipher = `aes-${keyBytes * 8}-ecb`
  const input = decipher(cipher, key, null, verifier.subarray(20, 36))
  const expected = decipher(cipher, key, null, verifier.subarray(40, 72)).subarray(0, 20)
  return hash("sha1", input).equals(expected)
    ? decipher(cipher, key, null, blocks(content.subarray(8))).subarray(0, sizeOf(content))
    : undefined
}

const purposes = {
  verifierInput: Buffer.from("fea7d2763b4b9e79", "hex"),
  verifierHash: Buffer.from("d7aa0f6d3061344e", "hex"),
  key: Buffer.from("146e0be7abacd0d6", "hex")
} as const

const hashNames: Readonly<Record<string, string>> = {
  SHA1: "sha1",
  "SHA-1": "sha1",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512"
}

interface Agile {
  readonly hash: string
  readonly salt: Buffer
  readonly keyBytes: number
  readonly blockBytes: number
}

/** Parameters of an element; undefined when its algorithms are not the usual ones. */
const agile = (xml: string, element: string): Agile | undefined => {
  const value = (name: string): string => XmlText.attribute(xml, element, name) ?? ""
  const algorithm = hashNames[value("hashAlgorithm")]
  const usual = value("cipherAlgorithm") === "AES" && value("cipherChaining") === "ChainingModeCBC"
  return algorithm === undefined || !usual
    ? undefined
    : {
        hash: algorithm,
        salt: Buffer.from(value("saltValue"), "base64"),
        keyBytes: Number(value("keyBits")) >> 3,
        blockBytes: Number(value("blockSize"))
      }
}

const openAgile = (info: Buffer, content: Buffer, password: string): Uint8Array | undefined => {
  const xml = info.toString("utf8", 8)
  const data = agile(xml, "keyData")
  const own = agile(xml, "encryptedKey")
  const rounds = Number(XmlText.attribute(xml, "encryptedKey", "spinCount"))
  if (data === undefined || own === undefined || !(rounds >= 0 && rounds <= mostRounds)) {
    return undefined
  }
  const digest = stretched(own.hash, own.salt, password, rounds)
  const read = (name: string, purpose: Buffer): Buffer =>
    decipher(
      `aes-${own.keyBytes * 8}-cbc`,
      fitted(hash(own.hash, digest, purpose), own.keyBytes, 0x36),
      fitted(own.salt, own.blockBytes, 0x36),
      Buffer.from(XmlText.attribute(xml, "encryptedKey", name) ?? "", "base64")
    )
  const input = read("encryptedVerifierHashInput", purposes.verifierInput).subarray(0, own.salt.length)
  const expected = hash(own.hash, input)
  if (!read("encryptedVerifierHashValue", purposes.verifierHash).subarray(0, expected.length).equals(expected)) {
    return undefined
  }
  const key = read("encryptedKeyValue", purposes.key).subarray(0, data.keyBytes)
  const parts: Array<Buffer> = []
  for (let at = 8, segment = 0; at < content.length; at += segmentBytes, segment++) {
    const iv = fitted(hash(data.hash, data.salt, littleEndian(segment)), data.blockBytes, 0x36)
    parts.push(decipher(`aes-${data.keyBytes * 8}-cbc`, key, iv, blocks(content.subarray(at, at + segmentBytes))))
  }
  return Buffer.concat(parts).subarray(0, sizeOf(content))
}

/**
 * Decrypts the zip archive of the streams `EncryptionInfo` and `EncryptedPackage`; undefined for another password. Throws when the
 * streams are damaged.
 */
export const open = (info: Uint8Array, content: Uint8Array, password: string): Uint8Array | undefined => {
  const header = Buffer.from(info)
  const minor = header.readUInt16LE(2)
  if (minor === 4) {
    return openAgile(header, Buffer.from(content), password)
  }
  return minor === 2 ? openStandard(header, Buffer.from(content), password) : undefined
}
