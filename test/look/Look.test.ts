import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { missing } from "../fixtures/chromium.ts"
import { askingTests } from "./asking.ts"
import { boxesTests } from "./boxes.ts"
import { hostileTests } from "./hostile.ts"
import { keyboardTests } from "./keyboard.ts"
import { readingTests } from "./reading.ts"
import * as Stand from "./stand.ts"

/** One browser and one start of each server for all of them. */
describe.skipIf(missing !== null)(
  `the page of the server in a browser${missing === null ? "" : `: ${missing}`}`,
  () => {
    layer(Stand.layer, { timeout: "60 seconds" })((it) => {
      readingTests(it)
      boxesTests(it)
      askingTests(it)
      keyboardTests(it)
      hostileTests(it)
    })
  }
)
