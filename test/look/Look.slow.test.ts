import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, describe } from "vitest"
import { missing } from "../fixtures/chromium.ts"
import { shared } from "../fixtures/shared.ts"
import { accessibleTests } from "./accessible.ts"
import { askingTests } from "./asking.ts"
import { boxesTests } from "./boxes.ts"
import { hostileTests } from "./hostile.ts"
import { keyboardTests } from "./keyboard.ts"
import { readingTests } from "./reading.ts"
import { reportTests } from "./reports.ts"
import * as Stand from "./stand.ts"

describe.skipIf(missing !== null)(
  `the page of the server in a browser${missing === null ? "" : `: ${missing}`}`,
  () => {
    const stand = shared(Stand.scoped)
    const test: Stand.Tests = (name, run, timeout) =>
      it.live(name, () => Effect.provideServiceEffect(run(), Stand.Stand, stand), timeout)
    beforeAll(() => Effect.runPromise(stand))
    readingTests(test)
    boxesTests(test)
    askingTests(test)
    keyboardTests(test)
    accessibleTests(test)
    hostileTests(test)
    reportTests(test)
  }
)
