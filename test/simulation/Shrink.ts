/** The shortest plan that still breaks a promise, and its story. */
import { type Action, constant, lineOf, type Plan } from "./Plan.ts"
import { type Result, run } from "./Simulation.ts"

const breaks = ({ violations }: Result, invariant: string): boolean =>
  violations.some((violation) => violation.invariant === invariant)

/** Without it a plan is of another world, in which other promises hold. */
const isFixed = (action: Action): boolean => action.kind === "put" && action.at === 0 && action.path === constant

/** Leaves out actions as long as the same invariant is violated: first many at a time, then single ones; in `most` runs. */
export const shrunk = async (plan: Plan, invariant: string, most = 400): Promise<Plan> => {
  let actions = plan.actions
  let runs = 0
  for (let size = Math.ceil(actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < actions.length && runs < most;) {
      const fewer = actions.filter((action, index) => index < at || index >= at + size || isFixed(action))
      runs += 1
      if (breaks(await run({ ...plan, actions: fewer }), invariant)) actions = fewer
      else at += size
    }
  }
  return { ...plan, actions }
}

const isOfNetwork = /^(?:source|service|embedder|sink|state|queue|disk): (?!.* lost\)$)/u

/** The trace without what went as it should: who did what, when. */
export const story = ({ trace, violations }: Result): string =>
  [
    ...trace
      .filter(({ what }) => !isOfNetwork.test(what))
      .map(({ at, what, who }) => `${(at / 1000).toFixed(3).padStart(9)} s  ${who.padEnd(8)} ${what}`),
    ...violations.map(({ invariant, problem }) => `VIOLATED: ${invariant}: ${problem}`)
  ].join("\n")

/** The actions of a plan, a line each. */
export const outline = ({ actions, setting }: Plan): string =>
  [
    `stores: ${setting.sinks.map((replaces) => (typeof replaces === "string" ? replaces : replaces ? "replaces" : "writes and removes")).join(", ")}; ${setting.embeds ? "with" : "without"} vectors; state ${setting.onDisk === true ? "in a folder" : "on a server"}`,
    ...actions.map((action) => `${(action.at / 1000).toFixed(3).padStart(9)} s  ${lineOf(action)}`)
  ].join("\n")
