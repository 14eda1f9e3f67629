/** Repositories of git for tests, made by git itself. */
import { spawnSync } from "node:child_process"

/** A file of a commit. */
export interface Member {
  readonly name: string
  readonly body: Buffer
}

export const run = (args: ReadonlyArray<string>, input?: Uint8Array): string => {
  const { status, stderr, stdout } = spawnSync("git", [...args], {
    input,
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1" }
  })
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${String(stderr)}`)
  return String(stdout).trim()
}

export const init = (folder: string): string => run(["init", "--quiet", "--bare", "--initial-branch=main", folder])

const quoted = (path: string): string =>
  `"${path.replaceAll(/["\\]/gu, "\\$&").replaceAll(/\p{Cc}/gu, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`

/** A commit of these files and no others on the branch `main`. */
export const commit = (folder: string, members: ReadonlyArray<Member>): string => {
  const head = "commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 0\ndeleteall\n"
  const files = members.flatMap(({ body, name }) => [
    Buffer.from(`M 100644 inline ${quoted(name)}\ndata ${body.length}\n`),
    body,
    Buffer.from("\n")
  ])
  run(["-C", folder, "fast-import", "--quiet", "--force"], Buffer.concat([Buffer.from(head), ...files]))
  return run(["-C", folder, "rev-parse", "main"])
}
