import { type Case, checks } from "../Case.ts"
import { expectFound, finding, having, of, type Row, write } from "../filterRows.ts"
import { documentId } from "../samples.ts"

/** Names with everything that is syntax somewhere, and texts that would change or end a statement. */
const names = [
  "a.b",
  "a",
  "b",
  "it's",
  "naïve 键",
  "a b",
  "$.a",
  "a[0]",
  "constructor",
  "__proto__",
  "' OR 1=1 --",
  "x) OR (TRUE",
  "}",
  "k,",
  "\\",
  "%",
  "source",
  "metadata.a"
]
const injections = [
  "' OR '1'='1",
  "\\' OR 1=1 --",
  "'; DROP TABLE chunks; --",
  "$1",
  "?1",
  "%",
  "_",
  ".*",
  "\\",
  '"}}',
  "a' || 'b",
  "\n",
  "-- ",
  "😀"
]

export const filteringFields: ReadonlyArray<Case> = [
  ...checks("itself", having("eq"), {
    *"takes names and texts of a filter literally, whatever they are made of"(world) {
      const chunks = of(...names.map((name) => ({ [name]: "here" })), ...injections.map((text) => ({ text })), {
        a: "elsewhere",
        text: "1"
      })
      const made = yield* write(world, chunks)
      yield* expectFound(world, [
        ...names.map((name, at): Row => [{ [`metadata.${name}`]: "here" }, [at]]),
        ...injections.map((text, at): Row => [{ "metadata.text": text }, [names.length + at]]),
        ...injections
          .filter((text) => !names.includes(text))
          .map((text): Row => [{ [`metadata.${text}`]: "here" }, []]),
        [{ "metadata.toString": "here" }, []]
      ])
      yield* world.expect(made)
    }
  }),
  finding(
    "takes names with quotes and the empty name literally",
    having("eq"),
    of({ 'a "b" c': "here" }, { "": "here" }, { a: "here" }),
    [
      [{ 'metadata.a "b" c': "here" }, [0]],
      [{ "metadata.": "here" }, [1]],
      [{ 'metadata."': "here" }, []]
    ]
  ),
  finding(
    "filters by source and document",
    having("eq"),
    [{ source: "a/b.md" }, { source: "a/B.md" }, { source: "it's.md" }, { metadata: { source: "a/b.md" } }],
    [
      [{ source: "a/b.md" }, [0]],
      [{ source: "it's.md" }, [2]],
      [{ source: "b.md" }, []],
      [{ documentId: documentId("a/B.md") }, [1]],
      [{ documentId: "B.md" }, []]
    ]
  ),
  finding(
    "filters by headings",
    having("eq"),
    [
      {
        headingPath: [
          { depth: 1, text: "Use" },
          { depth: 2, text: "Safety" }
        ]
      },
      { headingPath: [{ depth: 1, text: "Safety first" }] },
      { headingPath: [{ depth: 3, text: 'a "b"' }] },
      { metadata: { heading: "Use" } }
    ],
    [
      [{ heading: "Safety" }, [0]],
      [{ heading: "Use" }, [0]],
      [{ heading: 'a "b"' }, [2]],
      [{ heading: "safety" }, []]
    ]
  ),
  finding(
    "filters by pages",
    having("eq", "in"),
    [{ pages: [1] }, { pages: [1, 2] }, { pages: [12, 13] }, { pages: [] }, { metadata: { page: 1, pages: "1" } }],
    [
      [{ page: 1 }, [0, 1]],
      [{ page: 2 }, [1]],
      [{ page: { $in: [2, 13] } }, [1, 2]],
      [{ page: 3 }, []]
    ]
  ),
  finding(
    "compares any page of a chunk",
    having("gt", "gte", "lt", "lte"),
    [{ pages: [1] }, { pages: [1, 2, 3] }, { pages: [12, 13] }, { pages: [] }],
    [
      [{ page: { $gt: 2 } }, [1, 2]],
      [{ page: { $gte: 13 } }, [2]],
      [{ page: { $lt: 2 } }, [0, 1]],
      [{ page: { $lte: 12 } }, [0, 1, 2]]
    ]
  ),
  finding(
    "filters by kinds of blocks",
    having("eq"),
    [
      { kinds: ["table"] },
      { kinds: ["paragraph", "table"] },
      { kinds: [] },
      { kinds: ["tables"], metadata: { kinds: "table" } }
    ],
    [
      [{ kind: "table" }, [0, 1]],
      [{ kind: "paragraph" }, [1]],
      [{ kind: "tab" }, []]
    ]
  )
]
