import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import * as Dovecot from "./dovecot.ts"
import { mailbox, packedTar, web } from "./targets.ts"

for (const target of [web("date"), web("nothing"), packedTar]) SourceConformance.suite(target, { describe, it })

describe.skipIf(Dovecot.missing() !== null)("where Dovecot is installed", () => {
  SourceConformance.suite(mailbox, { describe, it })
})
