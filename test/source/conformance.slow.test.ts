import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import * as Sshd from "./sshd.ts"
import { packedTar, sftp, web } from "./targets.ts"

for (const target of [web("date"), web("nothing"), packedTar]) SourceConformance.suite(target, { describe, it })

const missing = Sshd.missing()

describe.skipIf(missing !== null)(`SFTP${missing === null ? "" : `: ${missing}`}`, () => {
  SourceConformance.suite(sftp, { describe, it }, { timeout: 120_000 })
})
