/** Completion scripts for bash, zsh and fish. */
import type { Completed, CompletedCommand, CompletedFlag, Values } from "./Catalogue.ts"

export const shells = ["bash", "zsh", "fish"] as const

export type Shell = (typeof shells)[number]

type Lines = ReadonlyArray<string>

/** Between single quotes, for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isWords = (values: Values | null): values is ReadonlyArray<string> => Array.isArray(values)

/** Patterns of `command --flag` by the action on what follows them. */
const actions = (
  commands: ReadonlyArray<CompletedCommand>,
  actionOf: (values: Values) => string
): ReadonlyMap<string, Lines> => {
  const byAction = new Map<string, Array<string>>()
  for (const { flags, name } of commands) {
    for (const flag of flags) {
      if (flag.values === null) continue
      const action = actionOf(flag.values)
      byAction.set(action, [...(byAction.get(action) ?? []), `"${name} --${flag.name}"`])
    }
  }
  return byAction
}

/** A word that ends with a colon is the kind of a sink: a path follows. */
const inBash = (values: Values): string => {
  if (values === "files") return "_docsluice_files -f"
  if (values === "folders") return "_docsluice_files -d"
  if (values === "text") return ":"
  return `${values.some((word) => word.endsWith(":")) ? "_docsluice_sinks" : "_docsluice_words"} ${quoted(values.join(" "))}`
}

/**
 * Words are read from the line itself: bash splits `COMP_WORDS` at colons and equals signs, after which it replaces only the last part.
 * Works with bash 3.2, which has neither `mapfile` nor `compopt`.
 */
const bash = ({ commands, everywhere }: Completed): Lines => [
  "# Completion of docsluice for bash. Load it with: source <(docsluice completion bash)",
  "_docsluice_add() {",
  "  local word whole=$cur part=${cur##*[:=]}",
  "  case $COMP_WORDBREAKS in *:*) ;; *) part=$cur ;; esac",
  '  while IFS= read -r word; do COMPREPLY+=("${word#"${whole%"$part"}"}"); done',
  "}",
  '_docsluice_option() { type compopt >/dev/null 2>&1 && compopt -o "$1"; }',
  '_docsluice_words() { _docsluice_add < <(compgen -W "$1" -- "$cur"); }',
  "_docsluice_files() {",
  "  _docsluice_option filenames",
  '  _docsluice_add < <(compgen "$1" -- "$cur")',
  "}",
  "_docsluice_sinks() {",
  "  case $cur in",
  "    *:*)",
  "      local kind=${cur%%:*}:",
  "      _docsluice_option filenames",
  '      _docsluice_add < <(compgen -f -- "${cur#*:}" | while IFS= read -r word; do printf "%s%s\\n" "$kind" "$word"; done) ;;',
  '    *) _docsluice_option nospace; _docsluice_words "$1" ;;',
  "  esac",
  "}",
  "_docsluice() {",
  "  local line=${COMP_LINE:0:COMP_POINT} cur= prev= command= word",
  "  local -a words",
  '  read -a words <<< "$line"',
  '  case $line in *[[:space:]]) words+=("") ;; esac',
  "  local last=$((${#words[@]} - 1))",
  "  cur=${words[last]}",
  "  ((last > 1)) && prev=${words[last - 1]}",
  '  for word in "${words[@]:1:last > 0 ? last - 1 : 0}"; do',
  "    case $word in -*) ;; *) command=$word; break ;; esac",
  "  done",
  "  COMPREPLY=()",
  "  case $cur in --*=*) prev=${cur%%=*}; cur=${cur#*=} ;; esac",
  "  if [[ -z $command ]]; then",
  `    _docsluice_words ${quoted([...commands.map(({ name }) => name), "help", "--help", "--help-all", "--version"].join(" "))}`,
  "    return",
  "  fi",
  '  case "$command $prev" in',
  ...[...actions(commands, inBash)].map(([action, patterns]) => `    ${patterns.join("|")}) ${action}; return ;;`),
  ...everywhere.flatMap(({ name, values }) =>
    values === null ? [] : [`    *" --${name}") ${inBash(values)}; return ;;`]
  ),
  "  esac",
  "  case $cur in",
  "    -*)",
  "      case $command in",
  ...commands.map(
    ({ flags, name }) =>
      `        ${name}) _docsluice_words ${quoted([...flags, ...everywhere].map((flag) => `--${flag.name}`).join(" "))} ;;`
  ),
  "      esac",
  "      return ;;",
  "  esac",
  "  case $command in",
  `    help) _docsluice_words ${quoted(commands.map(({ name }) => name).join(" "))} ;;`,
  ...commands
    .filter(({ operands }) => operands !== "text")
    .map(({ name, operands }) => `    ${name}) ${inBash(operands)} ;;`),
  "  esac",
  "}",
  "complete -F _docsluice docsluice"
]

/** A meaning inside the brackets of zsh's `_arguments`. */
const inBrackets = (text: string): string => text.replaceAll(/[[\]:\\]/gu, (mark) => `\\${mark}`)

const inZsh = (values: Values): string => {
  if (values === "files") return "file:_files"
  if (values === "folders") return "folder:_files -/"
  if (values === "text") return "value:"
  return values.some((word) => word.endsWith(":"))
    ? `sink:_docsluice_sinks ${values.map((word) => word.replace(":", "\\:")).join(" ")}`
    : `value:(${values.join(" ")})`
}

const zshFlag = ({ meaning, name, values }: CompletedFlag): string =>
  quoted(`*--${name}${values === null ? "" : "="}[${inBrackets(meaning)}]${values === null ? "" : `:${inZsh(values)}`}`)

const zsh = ({ commands, everywhere }: Completed): Lines => [
  "#compdef docsluice",
  "# Completion of docsluice for zsh. Load it with: source <(docsluice completion zsh)",
  "_docsluice_sinks() {",
  "  setopt local_options extended_glob",
  '  if compset -P "[a-z]##:"; then _files; else compadd -S "" -- "${(@)argv[(r)*:,-1]}"; fi',
  "}",
  "_docsluice() {",
  "  setopt local_options extended_glob",
  "  local -a commands",
  "  commands=(",
  ...commands.map(({ meaning, name }) => `    ${quoted(`${name}:${meaning.replaceAll(":", "\\:")}`)}`),
  "  )",
  "  if (( CURRENT == 2 )); then",
  "    _describe -t commands command commands",
  "    return",
  "  fi",
  "  local command=$words[2]",
  "  shift words",
  "  (( CURRENT-- ))",
  "  case $command in",
  ...commands.flatMap(({ flags, name, operands }) => [
    `    ${name})`,
    "      _arguments \\",
    ...[...flags, ...everywhere].map((flag) => `        ${zshFlag(flag)} \\`),
    `        ${quoted(`*:${inZsh(operands)}`)} ;;`
  ]),
  "  esac",
  "}",
  'if [ "$funcstack[1]" = "_docsluice" ]; then _docsluice "$@"; elif (( $+functions[compdef] )); then compdef _docsluice docsluice; fi'
]

const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const inFish = (values: Values): string => {
  if (values === "files") return "-r -F"
  if (values === "folders") return "-x -a '(__fish_complete_directories)'"
  if (values === "text") return "-x"
  return `${isWords(values) && values.some((word) => word.endsWith(":")) ? "-r -f" : "-x"} -a ${fishText(values.join(" "))}`
}

const fishFlag = ({ meaning, name, values }: CompletedFlag): string =>
  `-l ${name}${values === null ? "" : ` ${inFish(values)}`} -d ${fishText(meaning)}`

const fish = ({ commands, everywhere }: Completed): Lines => [
  "# Completion of docsluice for fish. Load it with: docsluice completion fish | source",
  "complete -c docsluice -f",
  ...commands.map(
    ({ meaning, name }) => `complete -c docsluice -n __fish_use_subcommand -a ${name} -d ${fishText(meaning)}`
  ),
  ...commands.flatMap(({ flags, name, operands }) => {
    const here = `complete -c docsluice -n '__fish_seen_subcommand_from ${name}'`
    return [
      ...flags.map((flag) => `${here} ${fishFlag(flag)}`),
      ...(operands === "text" ? [] : [`${here} ${operands === "files" ? "-F" : inFish(operands)}`])
    ]
  }),
  ...everywhere.map((flag) => `complete -c docsluice ${fishFlag(flag)}`)
]

const scripts: Readonly<Record<Shell, (completed: Completed) => Lines>> = { bash, zsh, fish }

/** Lines of the script. */
export const script = (shell: Shell, completed: Completed): Lines => scripts[shell](completed)
