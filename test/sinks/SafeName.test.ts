import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as SafeName from "../../sinks/internal/fs/SafeName.ts"

const nasty = fc.constantFrom(
  "..",
  ".",
  "",
  "con",
  "CON.txt",
  "lpt1",
  "0.md",
  "3~2.md",
  "manifest.json",
  ".docsluice-fs",
  "a.",
  "b ",
  "%41",
  "%-",
  "%_",
  "nul\u0000",
  "é",
  "e\u0301",
  "\u1100\u1161",
  "ß",
  "ſ",
  "README.md",
  "readme.md",
  "\ud800",
  "x".repeat(400),
  "é".repeat(200)
)
const part = fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 12 }), fc.string({ maxLength: 8 }))
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"))

it.prop("every name reads back", [name], ([name]) => {
  assert.strictEqual(SafeName.decode(SafeName.encode(name)), name)
  assert.strictEqual(SafeName.decode(SafeName.encodeCase(name)), name)
})

it.prop(
  "two names are never one path, with case escaped not even where case is ignored",
  [name, name],
  ([left, right]) => {
    if (left === right) return
    assert.notStrictEqual(SafeName.encode(left), SafeName.encode(right))
    assert.notStrictEqual(SafeName.folded(SafeName.encodeCase(left)), SafeName.folded(SafeName.encodeCase(right)))
  }
)

it.prop("no component is one that a file system or the store takes for something else", [name], ([name]) => {
  for (const component of SafeName.encode(name).split("/")) {
    assert.isNotEmpty(component)
    assert.isAtMost(Buffer.byteLength(component), 255)
    assert.notMatch(component, /^\.\.?$|[. ]$|[\p{Cc}<>:"\\|?*]|\p{Surrogate}/u)
    assert.notMatch(component, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu)
    assert.isFalse(SafeName.isChunkFile(component))
    assert.notInclude(["manifest.json", ".docsluice-fs"], component.toLowerCase())
  }
})

it("leaves ordinary names as they are", () => {
  for (const ordinary of ["corpus/Report 2024.pdf", "corpus/Größe/北京.docx", "a/b_c-d (1).md"]) {
    assert.strictEqual(SafeName.encode(ordinary), ordinary)
  }
})
