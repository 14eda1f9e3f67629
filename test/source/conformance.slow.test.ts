import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect } from "effect"
import * as Servers from "../fixtures/servers.ts"
import { shared } from "../fixtures/shared.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Dovecot from "./dovecot.ts"
import * as Sshd from "./sshd.ts"
import { mailbox, packedTar, postgres, sftp, web } from "./targets.ts"

const server = shared(
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => Servers.postgres()),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ url }) => url
  )
)

for (const target of [web("date"), web("nothing"), packedTar]) SourceConformance.suite(target, { describe, it })

describe.skipIf(Postgres.missing() !== null)("over a server", () => {
  SourceConformance.suite(postgres(server), { describe, it })
})

describe.skipIf(Dovecot.missing() !== null)("where Dovecot is installed", () => {
  SourceConformance.suite(mailbox, { describe, it })
})

const missing = Sshd.missing()

describe.skipIf(missing !== null)(`SFTP${missing === null ? "" : `: ${missing}`}`, () => {
  SourceConformance.suite(sftp, { describe, it }, { timeout: 120_000 })
})
