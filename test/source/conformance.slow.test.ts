import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import * as Dovecot from "./dovecot.ts"
import { mailbox, packedTar, web } from "./targets.ts"

for (const target of [web("date"), web("nothing"), packedTar]) SourceConformance.suite(target, { describe, it })

const missing = Dovecot.missing()

if (missing === null) SourceConformance.suite(mailbox, { describe, it })
else describe.skip(`a mailbox: ${missing}`, () => {})
