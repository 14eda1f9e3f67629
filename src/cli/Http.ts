/** The HTTP client of a command, with the proxies of the environment. */
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Layer from "effect/Layer"
import * as Http from "../internal/target/http.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

export const layer: Layer.Layer<HttpClient, UsageError> = Layer.mapError(Http.layer, ofOption)
