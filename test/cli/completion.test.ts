import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { names } from "../../src/cli/commands.ts"
import * as SinkTarget from "../../src/internal/target/sinkTarget.ts"
import { runHere } from "./run.ts"

/** True where the shell is installed with what the tests need of it. */
const has = (shell: string, needed = "true"): boolean => spawnSync(shell, ["-c", needed]).status === 0

let folder = ""

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docsluice-completion-"))
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, stdout } = await runHere(["completion", shell])
    assert.strictEqual(status, 0)
    writeFileSync(join(folder, `docsluice.${shell}`), stdout)
  }
  mkdirSync(join(folder, "documents"))
  writeFileSync(join(folder, "store.db"), "")
  writeFileSync(join(folder, "two words.pdf"), "")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Candidates of bash for a line, at its end; readline replaces what follows the last colon or equals sign by one of them. */
const inBash = (line: string): ReadonlyArray<string> => {
  const call = `source ./docsluice.bash; COMP_LINE=$1 COMP_POINT=\${#1}; _docsluice; printf '%s\\n' "\${COMPREPLY[@]}"`
  const given = ["--norc", "-c", call, "bash", line]
  return execFileSync("bash", given, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    .split("\n")
    .filter((word) => word !== "")
}

describe("docsluice completion", () => {
  it("refuses another shell, and names the one that was meant", async () => {
    const { status, stderr, stdout } = await runHere(["completion", "bsh"])
    assert.deepStrictEqual([status, stdout], [64, ""])
    assert.match(stderr, /expected one of bash, zsh, fish, got "bsh"; did you mean bash\?/)
  })

  describe.skipIf(!has("bash"))("in bash", () => {
    it.each([
      ["docsluice in", ["ingest"]],
      ["docsluice ", [...names, "help"]],
      ["docsluice --h", ["--help", "--help-all"]],
      ["docsluice ingest --chu", ["--chunker"]],
      ["docsluice ingest documents --chunker ", ["auto", "pages", "blocks", "markdown"]],
      ["docsluice ingest documents --chunker=pa", ["pages"]],
      ["docsluice ingest --to li", ["libsql:"]],
      ["docsluice ingest --to ", SinkTarget.names.map((name) => `${name}:`)],
      ["docsluice serve --agent-store ", SinkTarget.searchable.map((name) => `${name}:`)],
      ["docsluice ingest --to op", ["opensearch:"]],
      ["docsluice ingest --embedder ", ["none", "hash", "openai:", "ollama:", "transformers:"]],
      ["docsluice ingest --to libsql:st", ["store.db"]],
      ["docsluice ingest --to=libsql:st", ["store.db"]],
      ["docsluice ingest --root ", ["documents"]],
      ["docsluice ingest doc", ["documents", "docsluice.bash", "docsluice.fish", "docsluice.zsh"]],
      ["docsluice parse two\\ w", ["two words.pdf"]],
      ["docsluice status --log-level wa", ["warning"]],
      ["docsluice help se", ["search", "serve"]],
      ["docsluice search gauges --li", ["--limit"]],
      ["docsluice completion z", ["zsh"]],
      ["docsluice status --max", []]
    ] as const)("completes %s", (line: string, words: ReadonlyArray<string>) => {
      const found = inBash(line)
      for (const word of words) assert.include(found, word)
      if (!line.endsWith(" ")) assert.sameMembers([...found], [...words])
    })

    it("works at a prompt, with colons and blanks as readline splits them", () => {
      const script = spawnSync("script", ["--version"])
      if (script.status !== 0) return
      const keys = [
        "PS1='> '; cd '" + folder + "'; source ./docsluice.bash",
        "docsluice() { printf 'got:%s|' \"$@\"; echo; }",
        "docsluice inge\tdocum\t --to libsql:st\t --chunker bl\t",
        "docsluice parse two\t",
        "exit\n"
      ]
      const { stdout } = spawnSync("script", ["-qec", "bash --norc -i", "/dev/null"], {
        input: keys.join("\n"),
        encoding: "utf8",
        env: { PATH: process.env["PATH"], TERM: "xterm", HOME: folder }
      })
      assert.include(stdout, "got:ingest|got:documents/|got:--to|got:libsql:store.db|got:--chunker|got:blocks|")
      assert.include(stdout, "got:parse|got:two words.pdf|")
    })
  })

  it.skipIf(!has("fish", "type -q __fish_use_subcommand"))(
    "completes commands, flags, words and folders in fish",
    () => {
      const inFish = (line: string) =>
        execFileSync("fish", ["--no-config", "-c", `source docsluice.fish; complete -C '${line}'`], {
          cwd: folder,
          encoding: "utf8"
        })
          .trim()
          .split("\n")
          .map((row) => row.split("\t")[0])
      assert.deepStrictEqual(inFish("docsluice inge"), ["ingest"])
      assert.include(inFish("docsluice ingest --chu"), "--chunker")
      assert.sameMembers(inFish("docsluice ingest --chunker "), ["auto", "blocks", "markdown", "pages"])
      assert.deepStrictEqual(inFish("docsluice ingest --root doc"), ["documents/"])
    }
  )

  it.skipIf(!has("zsh", "zmodload zsh/zpty && autoload +X compinit"))(
    "completes commands, flags and words in zsh",
    () => {
      const at = (line: string) => {
        const driver = `
        zmodload zsh/zpty
        zpty z zsh -f -i
        sleep 0.3
        zpty -w z "PS1=; autoload -Uz compinit && compinit -u -d ${folder}/.zcompdump; source ${folder}/docsluice.zsh; print ready-no''w"
        zpty -r z line '*ready-now*'
        zpty -n -w z "$1"$'\\t'
        sleep 1.5
        zpty -n -w z $'\\C-a\\C-k print the-\\x65nd\\n'
        zpty -r z line '*the-end*'
        print -r -- "$line"`
        const { stdout } = spawnSync("zsh", ["-f", "-c", driver, "zsh", line], {
          cwd: folder,
          encoding: "utf8",
          timeout: 200_000
        })
        return stdout
      }
      assert.include(at("docsluice inge"), "docsluice ingest")
      assert.include(at("docsluice ingest --chunker bl"), "--chunker blocks")
      assert.include(at("docsluice ingest --to libsql:st"), "--to libsql:store.db")
    }
  )

  it.skipIf(!has("zsh"))("is a script that zsh can read", () => {
    assert.strictEqual(spawnSync("zsh", ["-n", join(folder, "docsluice.zsh")]).status, 0)
  })
})
