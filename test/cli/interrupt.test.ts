import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { start } from "./run.ts"

/** A service that answers when it is told to. */
const holding = async () => {
  const held: Array<ServerResponse> = []
  let asked = (): void => undefined
  const first = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = createServer((request, response) => {
    request.resume()
    held.push(response)
    asked()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const body = JSON.stringify({ success: true, data: { markdown: "# A", metadata: { numPages: 1, totalPages: 1 } } })
  return {
    base: `http://127.0.0.1:${port}/v2`,
    first,
    answer: () => {
      for (const response of held) response.writeHead(200, { "content-type": "application/json" }).end(body)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const interrupted = async (answering: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-interrupt-"))
  const service = await holding()
  try {
    mkdirSync(join(folder, "docs"))
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) writeFileSync(join(folder, "docs", name), name)
    const { child, ended } = start(folder, ["ingest", "docs", "--service", service.base, "--concurrency", "1"])
    const noted = new Promise<void>((resolve) => {
      child.stderr.on("data", (part: Buffer) => {
        if (part.toString().includes("finishing")) resolve()
      })
    })
    await service.first
    child.kill("SIGINT")
    await noted
    if (answering) service.answer()
    else child.kill("SIGINT")
    return await ended
  } finally {
    service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("an interrupt of ingest", () => {
  it("stores what is in flight, and names the command that goes on", async () => {
    const { status, stderr, stdout } = await interrupted(true)
    assert.strictEqual(status, 130, stderr)
    assert.strictEqual(stderr, "interrupted: finishing what is in flight; Ctrl-C again ends at once\n")
    assert.match(stdout, /^stored 1 document, 1 chunk in jsonl:chunks\.jsonl/)
    assert.match(stdout, /^of 3 files: 2 not attempted$/m)
    assert.match(stdout, /^interrupted: what was in flight is stored$/m)
    assert.match(
      stdout,
      /^next: docsluice ingest docs --service .* --concurrency 1\n {2}\(goes on where this run ended\)$/m
    )
  })

  it("ends at once when it comes a second time, with a word on what is lost", async () => {
    const { status, stderr, stdout } = await interrupted(false)
    assert.deepStrictEqual([status, stdout], [130, ""])
    assert.match(stderr, /finishing.*\nended at once: what was in flight is not stored; the same command goes on/)
  })

  it("ends it, and watch, while the embedder is asked for its dimensions, with nothing stored", async () => {
    for (const command of ["ingest", "watch"]) {
      const folder = mkdtempSync(join(tmpdir(), "docsluice-interrupt-"))
      const model = await holding()
      try {
        mkdirSync(join(folder, "docs"))
        writeFileSync(join(folder, "docs", "a.md"), "# A")
        const { ended, child } = start(folder, [command, "docs", "--embedder", `openai:m@${model.base}`, "--json"])
        await model.first
        child.kill("SIGTERM")
        const { status, stderr, stdout } = await ended
        assert.strictEqual(status, 130, stderr)
        assert.match(stderr, /interrupted/)
        assert.deepInclude(JSON.parse(stdout), { stored: 0, exit: 130 })
      } finally {
        model.close()
        rmSync(folder, { recursive: true, force: true })
      }
    }
  })
})
