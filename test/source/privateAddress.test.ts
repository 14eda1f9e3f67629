import { assert, describe, it } from "@effect/vitest"
import { SeenNames } from "../../src/internal/base/seenNames.ts"
import { isPublic, literal } from "../../src/internal/client/privateAddress.ts"

describe("public addresses", () => {
  it("are none of this machine, of private networks, of clouds' metadata, or reserved, in both versions", () => {
    const fourth = "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.31.255.255 192.168.1.1"
    const reserved = "198.18.0.1 203.0.113.7 224.0.0.1 255.255.255.255 192.0.0.192"
    const sixth = ":: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2001::1 2002:7f00:1:: ::7f00:1"
    const mapped = "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 64:ff9b::10.0.0.1"
    const none = ["localhost", "", "1.2.3", ...[fourth, reserved, sixth, mapped].flatMap((all) => all.split(" "))]
    assert.deepEqual(none.filter(isPublic), [])
    const all = ["1.1.1.1", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
    assert.deepEqual(all.filter(isPublic), all)
  })

  it("are read out of every spelling that an address can have", () => {
    for (const host of [
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "017700000001",
      "127.0.0.1.",
      "[::ffff:7f00:1]",
      "[::1]"
    ]) {
      const address = literal(new URL(`http://${host}/`).hostname)
      assert.isFalse(address === null || isPublic(address), host)
    }
    assert.isNull(literal("127.0.0.1.example.com"))
  })
})

describe("names that were seen", () => {
  it("are each new once, whatever their number", () => {
    const seen = new SeenNames()
    const names = Array.from({ length: 20_000 }, (_, at) => `folder/${at}`)
    assert.isTrue(names.every((name) => seen.add(name)))
    assert.isTrue(names.every((name) => !seen.add(name)))
    assert.isTrue(seen.add(""))
  })
})
