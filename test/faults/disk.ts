/** A disk of its own for a child, in a mount namespace that is gone with it. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { bundled } from "../fixtures/bundled.ts"
import type * as Site from "./site.ts"
import type * as Stored from "./stored.ts"

/** Result of a run of the child. */
export interface Said {
  readonly step: string
  /** Null for a run that failed as a whole. */
  readonly exit: number | null
  readonly requests: number
  /** Error tags of the failed documents or of the run. */
  readonly tags: ReadonlyArray<string>
  /** Message of the error that failed the whole run. */
  readonly reason: string
  readonly check: Stored.Check
}

const isolations = [["--mount"], ["--mount", "--user", "--map-root-user"]] as const

const works = (isolation: ReadonlyArray<string>): boolean => {
  try {
    execFileSync("unshare", [...isolation, "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Command with which this user can mount a private disk; undefined where that is not possible. */
export const isolation: ReadonlyArray<string> | undefined = isolations.find(works)

const program = new URL("cramped.ts", import.meta.url)

const isSaid = (value: unknown): value is Said => typeof value === "object" && value !== null && "step" in value

/** Lets the child ingest the site's documents on a disk of `bytes` bytes; returns its results, one per run. */
export const ingestOn = (
  site: Site.Site,
  options: { readonly kind: "full" | "read-only"; readonly bytes: number; readonly base: string }
): Effect.Effect<{ readonly code: number | null; readonly said: ReadonlyArray<Said> }> =>
  Effect.async((resume) => {
    const disk = join(site.directory, "disk")
    mkdirSync(disk)
    const script = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'
    const child = spawn(
      "unshare",
      [
        ...(isolation ?? []),
        "sh",
        "-c",
        script,
        "sh",
        `${options.bytes}`,
        disk,
        process.execPath,
        bundled(program),
        options.kind,
        disk,
        site.docs,
        options.base
      ],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    let text = ""
    child.stdout.on("data", (part: Buffer) => {
      text += part.toString()
    })
    child.once("close", (code) => {
      const lines = text.split("\n").filter((line) => line !== "")
      const said = lines.map((line): unknown => JSON.parse(line)).filter(isSaid)
      resume(Effect.succeed({ code, said }))
    })
    return Effect.sync(() => void child.kill("SIGKILL"))
  })
