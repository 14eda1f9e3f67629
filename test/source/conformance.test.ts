import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { azure, folder, git, s3, sqlite, sqliteUnversioned, tar, web, zip } from "./targets.ts"

for (const target of [folder, s3, azure, web("etag"), zip, tar, git, sqlite, sqliteUnversioned])
  SourceConformance.suite(target, { describe, it })
