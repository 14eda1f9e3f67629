/**
 * Owners of stores, and the decisions that they permit to a run: one rule for every sink.
 *
 * | content | no claim | no state | own | adopt | shared |
 * |---|---|---|---|---|---|
 * | `absent` | create | create | create | create | create |
 * | `blank`: nothing stored, no stamp | create | create | create | create | create |
 * | `known`: no stamp, chunks that the state knows | restore | restore | restore | restore | restore |
 * | `unknown`: no stamp, chunks that nobody here knows | restore | refuse | refuse | restore | refuse |
 * | `foreign`: something else | refuse | refuse | refuse | refuse | refuse |
 * | `own`: this state's | enter | enter | enter | enter | share |
 * | `remembered`: no owner, a store id that the state remembers | enter | enter | claim | claim | share |
 * | `nobodys`: no owner | enter | enter | refuse | take | refuse |
 * | `anothers`: another state's alone | enter | refuse | refuse | take | refuse |
 * | `member`: shared, and a root of this state is there | enter | refuse | join | inherit | join |
 * | `stranger`: shared, and no root of this state is there | enter | refuse | refuse | inherit | join |
 *
 * A stamped store that is empty and has no owner is treated as absent; without a claim it is not changed. An empty store with an
 * owner still belongs to it: a run that has just begun has stored nothing yet. No decision deletes stored chunks.
 */
import { type Message, option, text } from "../base/message.ts"
import type { Claim, Found } from "./contract.ts"
import type { SinkError } from "./sinkError.ts"
import { describeSpace, type EmbeddingSpace, sameSpace } from "./space.ts"
import type { Stamp } from "./stamp.ts"

/** The state of the run that claims a store. */
export type Claimant = Pick<Claim, "state" | "how" | "stores" | "roots">

/** Content of the target, with its stamp decoded. */
export type Content =
  | Extract<Found, { readonly _tag: "Absent" | "Foreign" }>
  | { readonly _tag: "Stamped"; readonly stamp: Stamp; readonly empty: boolean; readonly changed: boolean }
  /** `known`: the claimant's state knows some of the chunks. `vectors`: some have vectors, of a model that no stamp names. */
  | { readonly _tag: "Unstamped"; readonly empty: boolean; readonly known: boolean; readonly vectors: boolean }

export interface Question {
  readonly content: Content
  /** Null for a call without a claim: the owner is neither checked nor changed. */
  readonly claimant: Claimant | null
  readonly space: EmbeddingSpace | null
  /** Store id to be used for a new store. */
  readonly fresh: string
}

/** The decision to use a target. */
export interface Plan {
  /**
   * `create`: create the store; an existing one is empty and of another space. `stamp`: keep the content, and write the stamp.
   * `open`: the stamp is already as it should be.
   */
  readonly action: "create" | "stamp" | "open"
  readonly stamp: Stamp
  /** True when the content may differ from the ledger, so both must be compared. */
  readonly compare: boolean
  /** True when the store may hold more than the state knows: chunks that it would write may be there already. */
  readonly adopted: boolean
}

export interface Refusal {
  readonly _tag: "Refusal"
  readonly problem: Message
  /** The two embedding spaces, when their difference is the reason. */
  readonly spaces?: NonNullable<SinkError["spaces"]>
}

export type Decision = (Plan & { readonly _tag: "Plan" }) | Refusal

type Situation =
  | "absent"
  | "blank"
  | "known"
  | "unknown"
  | "foreign"
  | "own"
  | "remembered"
  | "nobodys"
  | "anothers"
  | "member"
  | "stranger"

type Column = "anyone" | "stateless" | Claim["how"]

type Verdict = "create" | "restore" | "take" | "enter" | "claim" | "share" | "join" | "inherit" | "refuse"

const table: Readonly<Record<Situation, Readonly<Record<Column, Verdict>>>> = {
  absent: { anyone: "create", stateless: "create", own: "create", adopt: "create", shared: "create" },
  blank: { anyone: "create", stateless: "create", own: "create", adopt: "create", shared: "create" },
  known: { anyone: "restore", stateless: "restore", own: "restore", adopt: "restore", shared: "restore" },
  unknown: { anyone: "restore", stateless: "refuse", own: "refuse", adopt: "restore", shared: "refuse" },
  foreign: { anyone: "refuse", stateless: "refuse", own: "refuse", adopt: "refuse", shared: "refuse" },
  own: { anyone: "enter", stateless: "enter", own: "enter", adopt: "enter", shared: "share" },
  remembered: { anyone: "enter", stateless: "enter", own: "claim", adopt: "claim", shared: "share" },
  nobodys: { anyone: "enter", stateless: "enter", own: "refuse", adopt: "take", shared: "refuse" },
  anothers: { anyone: "enter", stateless: "refuse", own: "refuse", adopt: "take", shared: "refuse" },
  member: { anyone: "enter", stateless: "refuse", own: "join", adopt: "inherit", shared: "join" },
  stranger: { anyone: "enter", stateless: "refuse", own: "refuse", adopt: "inherit", shared: "join" }
}

const situationOf = (content: Content, claimant: Claimant | null): Situation => {
  if (content._tag === "Absent") return "absent"
  if (content._tag === "Foreign") return "foreign"
  if (content._tag === "Unstamped") return content.empty ? "blank" : content.known ? "known" : "unknown"
  const { owner, roots, shared, storeId } = content.stamp
  if (owner === null) return claimant?.stores.includes(storeId) === true ? "remembered" : "nobodys"
  if (claimant?.state === owner) return "own"
  if (!shared) return "anothers"
  return Object.values(roots).some((state) => state === claimant?.state) ? "member" : "stranger"
}

/** Why a target must not be touched; of a store with tenants, what to give. */
export const problemOf = ({ problem, tenants }: Extract<Found, { _tag: "Foreign" }>): Message =>
  tenants === true
    ? text`${problem}; search with ${option("tenant", "NAME")}, or give ?tenant=NAME in its address`
    : problem

/** Decides by the table above whether and how the target may be used; pure. */
export const decide = (question: Question): Decision => {
  const { claimant, content, space } = question
  const situation = situationOf(content, claimant)
  const column: Column = claimant === null ? "anyone" : claimant.state === null ? "stateless" : claimant.how
  if (content._tag === "Foreign") return { _tag: "Refusal", problem: problemOf(content) }
  if (content._tag !== "Stamped") {
    const verdict = table[situation][column]
    if (verdict === "refuse") return { _tag: "Refusal", problem: unknown }
    if (situation === "unknown" && content._tag === "Unstamped" && content.vectors) {
      return {
        _tag: "Refusal",
        problem: "it holds vectors of an unknown model; nothing was changed: name another target"
      }
    }
    const restored = situation === "known" ? claimant?.stores[0] : undefined
    return {
      _tag: "Plan",
      action: content._tag === "Absent" ? "create" : "stamp",
      stamp: stampFor(question, restored ?? question.fresh),
      compare: verdict !== "create",
      adopted: verdict !== "create"
    }
  }
  const { changed, empty, stamp } = content
  if (!empty && !sameSpace(stamp.space, space)) return otherSpace(stamp, space)
  const fits = sameSpace(stamp.space, space)
  const plan = (next: Stamp, adopted = false): Decision => ({
    _tag: "Plan",
    action: fits ? (sameStamp(stamp, next) ? "open" : "stamp") : "create",
    stamp: { ...next, space },
    compare: changed || empty || adopted,
    adopted
  })
  if (claimant === null) return plan(stamp)
  if (empty && situation === "nobodys") {
    return plan(stampFor(question, question.fresh))
  }
  const { state } = claimant
  switch (table[situation][column]) {
    case "enter":
      return stamp.shared ? joined(stamp, claimant, plan) : plan(stamp)
    case "claim":
      return plan({ ...stamp, owner: state })
    case "share":
      return joined({ ...stamp, owner: state, shared: true }, claimant, plan)
    case "join":
      return joined(stamp, claimant, plan)
    case "take":
      return plan(stampFor(question, question.fresh), true)
    case "inherit":
      return joined(inherited(stamp, state), claimant, (next) => plan(next, true))
    default:
      return { _tag: "Refusal", problem: refusalOf(stamp, claimant) }
  }
}

const stampFor = ({ claimant, space }: Question, storeId: string): Stamp => {
  const state = claimant?.state ?? null
  const shared = claimant?.how === "shared" && state !== null
  return {
    format: 2,
    storeId,
    space,
    owner: state,
    shared,
    roots: shared ? Object.fromEntries(claimant.roots.map((root) => [root, state])) : {}
  }
}

/** Claims the roots for the state; refuses a root that belongs to another state. */
const joined = (stamp: Stamp, { roots, state }: Claimant, plan: (next: Stamp) => Decision): Decision => {
  if (state === null) return plan(stamp)
  const taken = roots.find((root) => Object.hasOwn(stamp.roots, root) && stamp.roots[root] !== state)
  if (taken !== undefined) {
    return {
      _tag: "Refusal",
      problem: text`the root name ${JSON.stringify(taken)} belongs to the state ${stamp.roots[taken] ?? ""} in this store; give this root another name (${option("name")})`
    }
  }
  const added = roots.filter((root) => !Object.hasOwn(stamp.roots, root))
  const all = [...Object.entries(stamp.roots), ...added.map((root) => [root, state] as const)]
  return plan(added.length === 0 ? stamp : { ...stamp, roots: Object.fromEntries(all) })
}

/** Transfers the owner's roots to the state; those of other states stay theirs. */
const inherited = (stamp: Stamp, state: string | null): Stamp => ({
  ...stamp,
  owner: state,
  roots: Object.fromEntries(
    Object.entries(stamp.roots).map(([root, holder]) => [
      root,
      holder === stamp.owner && state !== null ? state : holder
    ])
  )
})

const sameStamp = (left: Stamp, right: Stamp): boolean =>
  left.storeId === right.storeId &&
  left.owner === right.owner &&
  left.shared === right.shared &&
  JSON.stringify(left.roots) === JSON.stringify(right.roots)

const otherSpace = (stamp: Stamp, asked: EmbeddingSpace | null): Refusal => ({
  _tag: "Refusal",
  problem: text`it holds ${describeSpace(stamp.space)}, this run brings ${describeSpace(asked)}; use the same embedder, another target, or ${option("rebuild")} to empty this one`,
  spaces: { stamped: stamp.space, asked }
})

const unknown = text`it holds chunks that this state does not know, and no stamp says whose they are; nothing was changed: name another target, or make it this state's own with ${option("claim", "adopt")}`

const refusalOf = ({ owner, shared }: Stamp, { how, state }: Claimant): Message => {
  if (owner === null) {
    return text`it was filled by a run that this state knows nothing of; nothing was changed: name another target, or make it this state's own with ${option("claim", "adopt")}`
  }
  const whose = `it belongs to another state (${owner}${state === null ? "" : `; this one is ${state}`})`
  if (state === null) return `${whose}; run with that state, or name another target`
  if (shared) return text`${whose}, which shares it: say ${option("claim", "shared")} here too, or name another target`
  const share = text`${how === "shared" ? "first " : ""}run that state once with ${option("claim", "shared")}`
  return text`${whose}; nothing was changed: name another target, make it this state's own with ${option("claim", "adopt")} if that state is lost, or ${share} to let both write`
}

/** Tests for documents of other states: in a shared store, those that are below no root of this state. */
export const isOthers = (stamp: Stamp | null, state: string | null): ((documentId: string) => boolean) => {
  if (stamp === null || !stamp.shared) return () => false
  const own = Object.entries(stamp.roots).flatMap(([root, holder]) => (holder === state ? [`${root}/`] : []))
  return (documentId) => !own.some((root) => documentId.startsWith(root))
}
