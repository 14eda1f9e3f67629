/** Providers of models that spellings name: the dialect, the provider's own address, and the variable of its key. */
import * as ModelServer from "../client/modelServer.ts"
import type * as Secret from "./secret.ts"

/** `Tag` names the dialect in a target. */
export interface Provider<Tag extends string = string> {
  readonly tag: Tag
  /** What spellings of its models begin with, without the colon. */
  readonly kind: string
  /** Its name for a reader. */
  readonly name: string
  /** Variable of its key, which is never sent to another host. */
  readonly variable: Secret.Variable
  readonly home: ModelServer.Home
}

export const openAi: Provider<"OpenAi"> = {
  tag: "OpenAi",
  kind: "openai",
  name: "OpenAI",
  variable: "OPENAI_API_KEY",
  home: ModelServer.openAi
}

export const cohere: Provider<"Cohere"> = {
  tag: "Cohere",
  kind: "cohere",
  name: "Cohere",
  variable: "COHERE_API_KEY",
  home: ModelServer.cohere
}

export const voyage: Provider<"Voyage"> = {
  tag: "Voyage",
  kind: "voyage",
  name: "Voyage",
  variable: "VOYAGE_API_KEY",
  home: ModelServer.voyage
}

/** A provider of rerankers. */
export const jina: Provider<"Jina"> = {
  tag: "Jina",
  kind: "jina",
  name: "Jina",
  variable: "JINA_API_KEY",
  home: ModelServer.jina
}
