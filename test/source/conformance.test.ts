import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { azure, folder, git, s3, tar, web, webdav, zip } from "./targets.ts"

for (const target of [folder, s3, azure, web("etag"), zip, tar, git, webdav]) {
  SourceConformance.suite(target, { describe, it })
}
