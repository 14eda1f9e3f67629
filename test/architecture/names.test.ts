import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import fg from "fast-glob"

/** The rules of names, which CONTRIBUTING.md has as a table, over the declarations of all public modules. */

const root = fileURLToPath(new URL("../..", import.meta.url))

interface Declared {
  /** Module and name, as a user reads them: `Embedder.layerOpenAi`. */
  readonly name: string
  /** The whole declaration, comments left out. */
  readonly text: string
}

const textOf = (file: string): string =>
  readFileSync(join(root, file), "utf8")
    .replaceAll(/\/\*\*[\s\S]*?\*\//gu, "")
    .replaceAll(/^\s*\/\/.*$/gmu, "")

/** Declarations of a file that are exported, with their names there. */
const declaredIn = (file: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const starts =
    /^export (?:abstract |declare )?(?:const|function|class|interface|type|namespace) (\w+)[\s\S]*?(?=^(?:export|const|class|interface|type|function|import) |(?![\s\S]))/gmu
  for (const [text, name = ""] of textOf(file).matchAll(starts)) found.set(name, `${found.get(name) ?? ""}${text}`)
  return found
}

/** What stands behind a name that a module gives to a type of another file: `export type Options = contract.Options`. */
const aliased = (file: string, text: string): string => {
  const [, space = "", name = ""] = /^export type \w+(?:<[^>]*>)? = (\w+)\.(\w+)/u.exec(text) ?? []
  const from = new RegExp(`import (?:type )?\\* as ${space} from "(\\.[^"]+)"`, "u").exec(textOf(file))?.[1]
  return from === undefined ? "" : (declaredIn(join(dirname(file), from)).get(name) ?? "")
}

/** Exports of a module, those that it takes from another file included, under the names that it gives them. */
const exportsOf = (file: string): ReadonlyArray<Declared> => {
  const module = file.replace(/^(?:src\/(?:\w+\/)?|sinks\/)(\w+)\.ts$/u, "$1")
  const own = [...declaredIn(file)].map(([name, text]) => ({
    name: `${module}.${name}`,
    text: text + aliased(file, text)
  }))
  const taken = Array.from(textOf(file).matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gmu)).flatMap(
    ([, names = "", from = ""]) => {
      const there = declaredIn(join(dirname(file), from))
      return names.split(",").flatMap((one) => {
        const [, name = "", as = name] = /(\w+)(?: as (\w+))?\s*$/u.exec(one.trim()) ?? []
        return name === "" ? [] : [{ name: `${module}.${as}`, text: there.get(name) ?? "" }]
      })
    }
  )
  return [...own, ...taken]
}

const all: ReadonlyArray<Declared> = fg
  .sync(["src/*.ts", "src/service/*.ts", "src/source/*.ts", "src/testing/*.ts", "sinks/*.ts"], {
    cwd: root,
    ignore: ["src/index.ts", "src/Async.ts"]
  })
  .flatMap(exportsOf)

const lastOf = (name: string): string => name.slice(name.indexOf(".") + 1)

/** The declaration up to its body. */
const signatureOf = (text: string): string => text.split(/=>\s*\n| => \{|=>\s(?=Layer\.\w+\()| = dual\(/u)[0] ?? text

/** True for a layer, and for a function whose result is one: its type, as it is spelled out, begins with `Layer.Layer`. */
const isLayer = (text: string): boolean =>
  /^export (?:const \w+: (?:Layer\.Layer<|State\b)|(?:const|function) \w+(?:(?!\n\n)[\s\S])*?\)\s*(?::|=>)\s*Layer\.Layer<)/u.test(
    signatureOf(text)
  )

const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")

/** True for a name that the table of CONTRIBUTING.md excepts. */
const isExcepted = (name: string): boolean => guide.includes(`\`${name}\``)

/** Members of an interface or a class that are functions which may give null or undefined. */
const nullableMembers = ({ name, text }: Declared): ReadonlyArray<string> =>
  Array.from(
    text.matchAll(/^ +readonly (\w+)\??: [^\n]*=> [\w.<>[\]]+ \| (?:null|undefined)$/gmu),
    ([, member = ""]) => `${name.slice(0, name.indexOf("."))}.${member}`
  )

const namesOf = (list: ReadonlyArray<Declared>): ReadonlyArray<string> => list.map(({ name }) => name)

describe("names of public modules", () => {
  it("layer… is a layer, or a function that gives one, and no other name is", () => {
    const layers = all.filter(({ text }) => isLayer(text))
    assert.isAbove(layers.length, 60)
    assert.deepStrictEqual(
      namesOf(layers).filter((name) => !/^layer(?:[A-Z]|$)/u.test(lastOf(name))),
      []
    )
    const named = all.filter(({ name, text }) => /^layer(?:[A-Z]|$)/u.test(lastOf(name)) && !isLayer(text))
    assert.deepStrictEqual(namesOf(named), [])
  })

  it("a layer whose options hold a secret or an address has a twin that reads them from the configuration", () => {
    const names = new Set(namesOf(all))
    const secret = /readonly (?:\w*[kK]ey|url|baseUrl|address|\w*[tT]oken|authorization)\??:/u
    const asking = all.filter(({ name, text }) => {
      const [module = ""] = name.split(".")
      const types = Array.from(signatureOf(text).matchAll(/\w*Options\b/gu), ([type]) => type)
      return (
        isLayer(text) &&
        !name.endsWith("Config") &&
        (secret.test(signatureOf(text)) ||
          types.some((type) => all.some((one) => one.name === `${module}.${type}` && secret.test(one.text))))
      )
    })
    assert.isAbove(asking.length, 5)
    assert.deepStrictEqual(
      namesOf(asking).filter((name) => !names.has(`${name}Config`) && !isExcepted(name)),
      []
    )
  })

  it("secrets of options are redacted", () => {
    const plain = all.filter(({ text }) =>
      /readonly (?:apiKey|password|token|authToken|authorization|secretAccessKey|sessionToken|sharedAccessSignature)\??: (?!Redacted)/u.test(
        text
      )
    )
    assert.deepStrictEqual(namesOf(plain), [])
  })

  it("what takes a subject and options takes the subject first or last", () => {
    const takes = all.filter(
      ({ text }) =>
        (/^export const \w+[\s\S]*\bself: /u.test(text) && /\bself: [^)]*, /u.test(text)) ||
        /^export (?:const|function) \w+[^=]*(?:= )?(?:<[^(]*>)?\(\s*\w+: [^)]*,\s*(?:options|\{[^}]*\})\??:? /u.test(
          text
        )
    )
    assert.isAbove(takes.length, 15)
    const once = takes.filter(({ text }) => !/\bdual\b/u.test(text))
    assert.deepStrictEqual(
      namesOf(once).filter((name) => !isExcepted(name)),
      []
    )
  })

  it("functions, methods and effects give an Option where there may be nothing, but for those that CONTRIBUTING.md names", () => {
    const effects = all.filter(({ text }) => /Effect\.Effect<[^<>=]*(?:<[^<>]*>)?[^<>=]*\| null\b/u.test(text))
    const functions = all.filter(
      ({ text }) =>
        /^export (?:const|function)/u.test(text) &&
        /(?:=>|\):) [^=(){};\n]*\| (?:null|undefined)\b/u.test(signatureOf(text))
    )
    const nullable = [...namesOf(effects), ...namesOf(functions), ...all.flatMap(nullableMembers)]
    assert.isAbove(nullable.length, 4)
    assert.deepStrictEqual(
      nullable.filter((name) => !isExcepted(name)),
      []
    )
  })
})
