import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { azure, folder, git, google, graph, s3, sqlite, sqliteUnversioned, tar, web, webdav, zip } from "./targets.ts"

for (const target of [folder, s3, azure, graph, google, web("etag"), zip, tar, git, sqlite, sqliteUnversioned, webdav])
  SourceConformance.suite(target, { describe, it })
