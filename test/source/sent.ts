/** A request over Node's own client: the global `fetch` breaks once another copy of undici was loaded in the process before it. */
import { request } from "node:http"

/** Sends it; gives the status once the answer was read. */
export const sent = (
  method: string,
  url: URL | string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined
): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = { "content-length": String(Buffer.byteLength(body ?? "")) }
    const asked = request(url, { method, headers: { ...headers, ...length } }, (answer) => {
      answer.on("error", reject)
      answer.on("end", () => resolve(answer.statusCode ?? 0))
      answer.resume()
    })
    asked.on("error", reject)
    asked.end(body ?? "")
  })
