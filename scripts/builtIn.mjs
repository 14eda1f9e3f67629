/**
 * The packages whose code the build copies into `dist`, and why each may be there. Everything else that a user needs is a dependency, so
 * that `npm ls`, audits and reviewers see it: above all what reads foreign bytes.
 *
 * `node scripts/builtIn.mjs [FOLDER…]` fails when a module of `src` and `sinks`, or of the folders, imports something that is neither.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** What a user installs: dependencies, and peers if wanted. */
export const installed = { ...manifest.dependencies, ...manifest.peerDependencies }

/** `dist/vendor`, which the library and the sinks import. */
const library = {
  "@orama/stemmers": "rules that take the endings off words, 26 files of a package of 4 MB; pure",
  aws4fetch: "signs requests to S3 with WebCrypto, 6 KB; reads no answer",
  "collapse-white-space": "part of franc, 40 lines",
  franc: "counts trigrams of a text against tables; pure",
  "gpt-tokenizer": "the rank tables of two encodings, of a package of 30 MB; data only",
  "n-gram": "part of franc, 40 lines",
  "opencc-js": "the table of traditional and simplified characters, 29 KB of a package of 5 MB; data only",
  "trigram-utils": "part of franc, 100 lines"
}

/** `dist/src/cli`: the command line in few files, since Node would take a second to find the modules of Effect. */
const commandLine = {
  ...library,
  "@effect/ai": "a dependency as well; copied for the start",
  "@effect/experimental": "a dependency as well; imported by @effect/ai",
  "@effect/platform": "a dependency as well; copied for the start",
  "@effect/platform-node": "a dependency as well; copied for the start",
  "@effect/platform-node-shared": "part of @effect/platform-node; copied for the start",
  effect: "a dependency as well; copied for the start",
  "fast-glob": "a dependency as well; names of files by patterns, reads no file; copied for the start",
  "find-my-way-ts": "part of @effect/platform: chooses the handler of a path; pure",
  "hast-util-from-parse5":
    "a dependency as well; the tree of parse5 as one of HTML; copied for the start of a parser's process",
  "hast-util-select": "a dependency as well; elements by selectors; copied for the start of a parser's process",
  "hast-util-to-mdast":
    "a dependency as well; trees of HTML to those of Markdown; copied for the start of a parser's process",
  ignore: "a dependency as well; names of files by rules; copied for the start",
  "mdast-util-gfm": "a dependency as well; tables in what is written; copied for the start of a parser's process",
  "mdast-util-to-hast": "a dependency as well; cells of tables; copied for the start of a parser's process",
  "mdast-util-to-markdown": "a dependency as well; trees to text; copied for the start of a parser's process",
  mime: "part of @effect/platform-node: tables of extensions; data only",
  picomatch: "a dependency as well; names by patterns; copied for the start",
  preact: "elements of reports; renders values of ours, 5 KB",
  "preact-render-to-string": "elements to text, for reports; escapes all that it writes"
}

/** `dist/src/view`: the program of the page, which runs in a browser, where there is no npm. */
const page = {
  preact: "elements of the page, 5 KB",
  "hast-util-sanitize": "a dependency as well; keeps what a browser may show of a document",
  "mdast-util-from-markdown": "a dependency as well; Markdown of a document on the page",
  "mdast-util-gfm": "a dependency as well; tables and tasks in that Markdown",
  "mdast-util-to-hast": "a dependency as well; elements of that Markdown",
  "micromark-extension-gfm": "a dependency as well; the grammar of those tables and tasks"
}

/** By the folder below `dist`. A part of the page's packages is named by them. */
export const builtIn = { vendor: library, "src/cli": commandLine, "src/view": page }

export const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0]

/** True for an import that `dist/vendor` serves. */
export const isVendored = (specifier) => Object.hasOwn(library, packageOf(specifier))

/** Imports of packages in a module's text; those of types have no code. */
export const imports = /(?:^(?:import|export) (?!type )(?:[\w$\s{},*]+ from )?|\bimport\()"([^"./#][^"]*)"/gmu

const codeOf = (text) => text.replaceAll(/^\s*\*.*$/gmu, "")

export const filesBelow = (folder, ending, without = []) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => !without.some((place) => file.startsWith(place)))

/** The imports of packages in the sources below some folders, each with the file that it stands in. */
export const importsBelow = (folders, without) =>
  folders
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/u, without))
    .flatMap((file) =>
      Array.from(codeOf(readFileSync(file, "utf8")).matchAll(imports), ([, specifier]) => ({ file, specifier }))
    )

const isDeclared = (name) =>
  name.startsWith("node:") ||
  name === manifest.name ||
  installed[name] !== undefined ||
  Object.values(builtIn).some((packages) => Object.hasOwn(packages, name))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2).map((folder) => resolve(folder))
  const folders = given.length === 0 ? ["src", "sinks"].map((folder) => join(root, folder)) : given
  const strange = importsBelow(folders).filter(({ specifier }) => !isDeclared(packageOf(specifier)))
  for (const { file, specifier } of strange) {
    console.error(
      `${file} imports ${specifier}: name it in "dependencies" of package.json if it reads what others wrote, else in scripts/builtIn.mjs`
    )
  }
  process.exitCode = strange.length === 0 ? 0 : 1
}
