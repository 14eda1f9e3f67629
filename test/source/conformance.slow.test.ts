import { describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { packedTar, web } from "./targets.ts"

for (const target of [web("date"), web("nothing"), packedTar]) SourceConformance.suite(target, { describe, it })
