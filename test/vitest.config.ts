import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// Without "module": packages give bundlers code under it that Node cannot load.
const conditions = ["docsluice:source", "node", "development|production"]
const report = process.env["DOCSLUICE_TEST_REPORT"]

/** Kills, faults over many runs, and servers that take long to start: `npm run test:slow`, which CI runs beside `npm test`. */
const slow = "test/**/*.slow.test.ts"

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ["test/fixtures/globalSetup.ts"],
    setupFiles: ["test/fixtures/eventLoop.ts", "test/fixtures/seed.ts"],
    // Some laws take ten seconds of a core, and a server that a test needs may start slowly (`test/fixtures/started.ts`): a machine
    // that does other work as well is no failure. What waits for ever still ends.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Loading Effect and the parsers again for each file takes as long as a sixth of the tests.
    isolate: false,
    // Most tests wait for servers and processes, so two of them fit on one core.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: "fast", include: ["test/**/*.test.{ts,tsx}"], exclude: [slow] } },
      { extends: true, test: { name: "slow", include: [slow] } }
    ],
    ...(report === undefined ? {} : { reporters: ["default", "json"], outputFile: { json: report } })
  }
})
