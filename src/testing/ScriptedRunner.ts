/**
 * An agent runner for tests: scripts by the prompt of a job.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Agent, AgentRunner, type RefusedTask, type RunError, type Task } from "../service/AgentRunner.ts"

/**
 * Scripted course of the jobs of one prompt.
 *
 * @since 0.1.0
 * @category models
 */
export interface Script {
  /** Error that the submission fails with. */
  readonly refusal?: RefusedTask | undefined
  /** False for a model that records neither trace nor snapshots; default true. */
  readonly traced?: boolean | undefined
  /** The run; default one that reports progress, spends a credit and gives `{ answer: PROMPT }`. */
  readonly run?: ((agent: Agent, task: Task) => Effect.Effect<unknown, RunError>) | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type Scripts = Readonly<Record<string, Script>>

const answer = Effect.fnUntraced(function* (agent: Agent, { prompt }: Task): Effect.fn.Return<unknown> {
  yield* agent.emit({ type: "progress.reported", phase: "working", message: "at work" })
  yield* agent.spend(1)
  return { answer: prompt }
})

/**
 * Makes the runner; a prompt without a script has the defaults.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (scripts: Scripts = {}): AgentRunner.Service => {
  const scriptOf = ({ prompt }: Task): Script => (Object.hasOwn(scripts, prompt) ? (scripts[prompt] ?? {}) : {})
  return {
    accept: (task) => {
      const { refusal, traced = true } = scriptOf(task)
      return refusal ?? Effect.succeed({ model: traced ? "spark-2" : "spark-1-pro", traced })
    },
    run: (task, agent) => (scriptOf(task).run ?? answer)(agent, task)
  }
}

/**
 * The runner as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (scripts: Scripts = {}): Layer.Layer<AgentRunner> => Layer.sync(AgentRunner, () => make(scripts))
