import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as HostKey from "../../src/internal/sftp/hostKey.ts"
import * as Place from "../../src/internal/sftp/place.ts"

describe("an address of an SSH server", () => {
  it("names a user, a host, a port and a path as they are spelled", () => {
    const parsed = (address: string) => {
      const place = Place.parse(address)
      return place._tag === "Left" ? place.left : Object.values(place.right)
    }
    assert.deepStrictEqual(parsed("sftp://anna%40corp@Files.test/srv/a b#1"), [
      "Files.test",
      22,
      "anna@corp",
      "/srv/a b#1/",
      "a b#1",
      "sftp://anna%40corp@files.test/srv/a b#1/"
    ])
    const home = parsed("sftp://files.test:22/~/docs/")
    assert.deepStrictEqual(home, ["files.test", 22, undefined, "docs/", "docs", "sftp://files.test/~/docs/"])
    assert.deepStrictEqual(parsed("sftp://[::1]:2222"), ["::1", 2222, undefined, "/", "[::1]", "sftp://[::1]:2222/"])
    assert.match(String(parsed("sftp://anna:secret@files.test/srv")), /it holds a password/u)
    assert.match(String(parsed("sftp:///srv")), /expected sftp:/u)
    assert.match(String(parsed("sftp://a@b@c/srv")), /expected sftp:/u)
    assert.match(String(parsed("sftp://files.test:65536/srv")), /expected sftp:/u)
  })
})

describe("keys of known hosts", () => {
  const of = (text: string, host: string) => HostKey.listed(text, host).map(({ value }) => value)

  it("stand under names, numbers, patterns and hashes of either, without authorities", () => {
    const salt = Buffer.from("0123456789abcdef0123")
    const hash = createHmac("sha1", salt).update("[hidden.test]:2222").digest("base64")
    const text = [
      "# a remark",
      "",
      "files.test,192.0.2.7 ssh-ed25519 ONE anna@desk",
      "*.inner.test,!no.inner.test ssh-rsa TWO",
      "[files.test]:2222 ssh-ed25519 THREE",
      `|1|${salt.toString("base64")}|${hash} ssh-ed25519 FOUR`,
      "@cert-authority files.test ssh-ed25519 FIVE",
      "@revoked files.test ssh-ed25519 SIX"
    ].join("\r\n")
    assert.deepStrictEqual(of(text, "files.test"), ["ONE", "SIX"])
    assert.deepStrictEqual(of(text, "192.0.2.7"), ["ONE"])
    assert.deepStrictEqual(of(text, "a.inner.test"), ["TWO"])
    assert.deepStrictEqual(of(text, "no.inner.test"), [])
    assert.deepStrictEqual(of(text, "inner.test"), [])
    assert.deepStrictEqual(of(text, HostKey.hostOf({ host: "Files.test", port: 2222 })), ["THREE"])
    assert.deepStrictEqual(of(text, "[hidden.test]:2222"), ["FOUR"])
  })

  it("are given by an option as a fingerprint or as a key", () => {
    const fingerprint = `SHA256:${"a".repeat(43)}`
    assert.deepInclude(HostKey.given(fingerprint), { type: undefined, value: fingerprint })
    assert.deepInclude(HostKey.given("ssh-ed25519 AAAA= anna"), { type: "ssh-ed25519", value: "AAAA=" })
    for (const wrong of ["", "SHA256:short", "AAAA", "ssh-ed25519 ..."]) assert.isNull(HostKey.given(wrong), wrong)
  })
})
