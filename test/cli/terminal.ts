import { execFile, spawnSync } from "node:child_process"
import { commandLine } from "../fixtures/commandLine.ts"

/** True where `script` of util-linux can make a terminal; that of other systems takes other arguments. */
export const available = spawnSync("script", ["-qec", "true", "/dev/null"], { input: "" }).status === 0

export interface Capture {
  readonly words: ReadonlyArray<string>
  /** Everything that the terminal was sent, with line breaks as `\n`. */
  readonly text: string
  readonly status: number
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Runs commands in a terminal of that width, one after another, as a person would. `onText` gets what they write while they run. */
export const capture = async (
  cwd: string,
  columns: number,
  commands: ReadonlyArray<ReadonlyArray<string>>,
  env: Readonly<Record<string, string>> = {},
  onText: (text: string) => void = () => {}
): Promise<ReadonlyArray<Capture>> => {
  const line = [process.execPath, commandLine().terminalChild, JSON.stringify(commands)]
  const shell = `stty cols ${columns} rows 50; exec ${line.map(quoted).join(" ")}`
  const options = { cwd, env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env }, maxBuffer: 2 ** 26 }
  const stdout = await new Promise<string>((resolve) => {
    const { stdin, stdout: out } = execFile("script", ["-qec", shell, "/dev/null"], options, (_, all) => resolve(all))
    out?.on("data", (text: string) => onText(text))
    stdin?.end()
  })
  const texts = stdout
    .replaceAll("\r\n", "\n")
    .split(/\n?@@ \d+\n/u)
    .slice(1)
  return commands.map((words, at) => {
    const [text = "", status = ""] = (texts[at] ?? "").split("@@ status ")
    return { words, text, status: Number.parseInt(status, 10) }
  })
}

// oxlint-disable-next-line no-control-regex -- what a terminal is sent
const controls = /\u001B\[[0-9;?]*[A-Za-z]/gu

/** The lines that were seen, those that were drawn over included, without control codes. */
export const lines = ({ text }: Capture): ReadonlyArray<string> => text.replaceAll(controls, "").split(/[\r\n]+/u)

/** Numbers of all colour codes. */
export const colours = ({ text }: Capture): ReadonlySet<string> =>
  // oxlint-disable-next-line no-control-regex -- what colour codes begin with
  new Set(Array.from(text.matchAll(/\u001B\[([0-9;]*)m/gu), ([, codes = ""]) => codes.split(";")).flat())
