import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { render } from "../../../src/internal/base/message.ts"
import {
  type Claimant,
  type Content,
  decide,
  type Decision,
  isOthers,
  type Question
} from "../../../src/internal/sink/ownership.ts"
import { decode, encode, type Stamp } from "../../../src/internal/sink/stamp.ts"

const space = { model: "m", dimensions: 3, normalized: true, metric: "cosine" } as const

const stamp = (more: Partial<Stamp> = {}): Stamp => ({
  format: 2,
  storeId: "old",
  space,
  owner: "them",
  shared: false,
  roots: {},
  ...more
})

const stamped = (more: Partial<Stamp> = {}, empty = false): Content => ({
  _tag: "Stamped",
  stamp: stamp(more),
  empty,
  changed: false
})

const claimant = (how: Claimant["how"], more: Partial<Claimant> = {}): Claimant => ({
  state: "us",
  how,
  stores: ["remembered"],
  roots: ["docs"],
  ...more
})

const columns = {
  anyone: null,
  stateless: claimant("own", { state: null }),
  own: claimant("own"),
  adopt: claimant("adopt"),
  shared: claimant("shared")
} as const

const contents: Readonly<Record<string, Content>> = {
  absent: { _tag: "Absent" },
  blank: { _tag: "Unstamped", empty: true, known: false, vectors: false },
  known: { _tag: "Unstamped", empty: false, known: true, vectors: true },
  unknown: { _tag: "Unstamped", empty: false, known: false, vectors: false },
  vectors: { _tag: "Unstamped", empty: false, known: false, vectors: true },
  foreign: { _tag: "Foreign", problem: "a table of somebody else" },
  own: stamped({ owner: "us" }),
  remembered: stamped({ owner: null, storeId: "remembered" }),
  nobodys: stamped({ owner: null }),
  anothers: stamped(),
  member: stamped({ shared: true, roots: { docs: "us", notes: "them" } }),
  stranger: stamped({ shared: true, roots: { notes: "them" } }),
  emptied: stamped({ owner: "us" }, true),
  "another's, empty": stamped({}, true),
  "nobody's, empty": stamped({ owner: null }, true)
}

const ask = (content: Content, column: Claimant | null, more: Partial<Question> = {}): Decision =>
  decide({ content, claimant: column, space, fresh: "fresh", ...more })

/** Describes a decision: the action, the store's id, its owner, and `shared` with the roots that are ours. */
const described = (decision: Decision): string => {
  if (decision._tag === "Refusal") return "refused"
  const { owner, roots, shared, storeId } = decision.stamp
  const ours = Object.keys(roots).filter((root) => roots[root] === "us")
  return [decision.action, storeId, owner ?? "nobody", ...(shared ? ["shared", ...ours] : [])].join(" ")
}

/** In the order of the columns. */
const cells: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  absent: [
    "create fresh nobody",
    "create fresh nobody",
    "create fresh us",
    "create fresh us",
    "create fresh us shared docs"
  ],
  blank: ["stamp fresh nobody", "stamp fresh nobody", "stamp fresh us", "stamp fresh us", "stamp fresh us shared docs"],
  known: [
    "stamp fresh nobody",
    "stamp remembered nobody",
    "stamp remembered us",
    "stamp remembered us",
    "stamp remembered us shared docs"
  ],
  unknown: ["stamp fresh nobody", "refused", "refused", "stamp fresh us", "refused"],
  vectors: ["refused", "refused", "refused", "refused", "refused"],
  foreign: ["refused", "refused", "refused", "refused", "refused"],
  own: ["open old us", "refused", "open old us", "open old us", "stamp old us shared docs"],
  remembered: [
    "open remembered nobody",
    "open remembered nobody",
    "stamp remembered us",
    "stamp remembered us",
    "stamp remembered us shared docs"
  ],
  nobodys: ["open old nobody", "open old nobody", "refused", "stamp fresh us", "refused"],
  anothers: ["open old them", "refused", "refused", "stamp fresh us", "refused"],
  member: [
    "open old them shared docs",
    "refused",
    "open old them shared docs",
    "stamp old us shared docs notes",
    "open old them shared docs"
  ],
  stranger: [
    "open old them shared",
    "refused",
    "refused",
    "stamp old us shared notes docs",
    "stamp old them shared docs"
  ],
  emptied: ["open old us", "refused", "open old us", "open old us", "stamp old us shared docs"],
  "another's, empty": ["open old them", "refused", "refused", "stamp fresh us", "refused"],
  "nobody's, empty": [
    "open old nobody",
    "stamp fresh nobody",
    "stamp fresh us",
    "stamp fresh us",
    "stamp fresh us shared docs"
  ]
}

describe("ownership of a store", () => {
  for (const [situation, content] of Object.entries(contents)) {
    for (const [at, [column, asked]] of Object.entries(columns).entries()) {
      const expected = cells[situation]?.[at]
      it(`a store that is ${situation}, ${column}: ${expected}`, () => {
        assert.strictEqual(described(ask(content, asked)), expected)
      })
    }
  }

  it("a refusal names the store's owner and the remedy", () => {
    const problem = (content: Content, column: Claimant) => {
      const decision = ask(content, column)
      return decision._tag === "Refusal" ? render(decision.problem) : ""
    }
    for (const word of ["them", "us", '`claim: "adopt"`', '`claim: "shared"`', "another target"]) {
      assert.include(problem(stamped(), columns.own), word)
    }
    assert.include(problem(stamped(), columns.shared), 'first run that state once with `claim: "shared"`')
    assert.include(problem(contents["stranger"] ?? stamped(), columns.own), 'say `claim: "shared"` here too')
    assert.include(problem(contents["unknown"] ?? stamped(), columns.own), '`claim: "adopt"`')
    assert.include(problem(stamped({ owner: null }), columns.own), '`claim: "adopt"`')
  })

  it("a root name belongs to the state that claimed it first", () => {
    const taken = stamped({ shared: true, roots: { docs: "them" } })
    const decision = ask(taken, columns.shared)
    assert.strictEqual(decision._tag, "Refusal")
    assert.include(decision._tag === "Refusal" ? render(decision.problem) : "", "`name`")
    assert.strictEqual(described(ask(taken, claimant("shared", { roots: ["notes"] }))), "stamp old them shared notes")
  })

  it("another space is refused where something is stored, and made where nothing is", () => {
    const other = { ...space, model: "other" }
    for (const content of [stamped({ owner: "us" }), contents["member"] ?? stamped()]) {
      const decision = ask(content, columns.own, { space: other })
      assert.deepInclude(decision, { _tag: "Refusal", spaces: { stamped: space, asked: other } })
    }
    const decision = ask(stamped({ owner: "us" }, true), columns.own, { space: other })
    assert.deepInclude(decision, { action: "create", stamp: stamp({ owner: "us", space: other }) })
  })

  it("is compared with the state after it was changed, emptied, restored or taken over", () => {
    const compared = (content: Content, column: Claimant = columns.own) => {
      const decision = ask(content, column)
      return decision._tag === "Plan" && decision.compare
    }
    assert.isFalse(compared(stamped({ owner: "us" })))
    assert.isTrue(compared({ _tag: "Stamped", stamp: stamp({ owner: "us" }), empty: false, changed: true }))
    assert.isTrue(compared(stamped({ owner: "us" }, true)))
    assert.isTrue(compared(contents["known"] ?? stamped()))
    assert.isTrue(compared(stamped(), columns.adopt))
    assert.isFalse(compared({ _tag: "Absent" }))
  })

  it("of a shared store what is below no root of the state is another's; of any other store nothing is", () => {
    const others = isOthers(stamp({ shared: true, roots: { docs: "us", notes: "them" } }), "us")
    assert.deepEqual(["docs/a", "notes/a", "docsx/a", "docs"].map(others), [false, true, true, true])
    assert.isFalse(isOthers(stamp(), "us")("notes/a"))
  })
})

describe("a stamp's text", () => {
  it("reads back, and knows nothing of what stands next to it", () => {
    const one = stamp({ shared: true, roots: { docs: "us" } })
    assert.deepEqual(decode(encode(one)), Option.some(one))
    assert.deepEqual(decode(JSON.stringify({ ...one, settled: { bytes: 1 } })), Option.some(one))
  })

  it("of the first format has no owner", () => {
    const first = JSON.stringify({ format: 1, storeId: "old", space })
    assert.deepEqual(decode(first), Option.some(stamp({ owner: null })))
  })

  it("of a later format is none", () => {
    assert.deepEqual(decode(JSON.stringify({ ...stamp(), format: 3 })), Option.none())
    assert.deepEqual(decode("nonsense"), Option.none())
  })
})
