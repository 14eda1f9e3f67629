/** The promise interface: plain JavaScript values as services, streams and layers. */
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Parser from "../../Parser.ts"
import * as RequestGate from "../../RequestGate.ts"
import * as Client from "../../service/Client.ts"
import * as Embedded from "../../service/Embedded.ts"
import type { InvalidOptions, ParseOptions } from "../../service/ParseOptions.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"

/** Options of `Async` for the service and the tokenizer. */
export interface Options {
  /** `embedded`, or the service's base address. */
  readonly service: string
  readonly apiKey: string | undefined
  readonly parseOptions: ParseOptions
  readonly tokenizer: Tokenizer.Name
  readonly dispatcher: UndiciHttpClient.Options["dispatcher"]
}

type Failure = Client.InvalidAddress | UndiciHttpClient.InvalidProxy

/** The parser and the tokenizer of a program that names none of its own. */
export const defaultLayers = (
  options: Options
): Layer.Layer<Parser.Parser | Tokenizer.Tokenizer, InvalidOptions | Failure> =>
  Layer.merge(Layer.provide(Parser.layer(options.parseOptions), client(options)), Tokenizer.layer(options.tokenizer))

const client = ({ apiKey, dispatcher, service }: Options): Layer.Layer<Client.Client, Failure> =>
  service === "embedded"
    ? Embedded.layer()
    : Client.layer({
        baseUrl: service,
        ...(apiKey !== undefined && { apiKey: apiKey === "none" ? "none" : Redacted.make(apiKey) })
      }).pipe(Layer.provide([RequestGate.layer(), UndiciHttpClient.layer({ dispatcher })]))
