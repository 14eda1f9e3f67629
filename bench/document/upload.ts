/** One upload as a bare undici loop does it, for the peers. */
import { type Dispatcher, request } from "undici"

const boundary = "bare-undici-loop"
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)

const isAnswer = (value: unknown): value is { readonly data: { readonly markdown: string } } =>
  typeof value === "object" && value !== null && "data" in value

export const upload = async (
  dispatcher: Dispatcher,
  base: string,
  path: string,
  bytes: Uint8Array
): Promise<{ readonly markdown: string; readonly text: string }> => {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${path}"\r\nContent-Type: text/html\r\n\r\n`
  const answer = await request(`${base}/parse`, {
    method: "POST",
    dispatcher,
    headers: { authorization: "Bearer bench", "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, tail])
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
  return { markdown: markdownIn(text), text }
}

/** The Markdown of an answer. */
export const markdownIn = (text: string): string => {
  const value: unknown = JSON.parse(text)
  if (!isAnswer(value)) throw new Error("an answer without Markdown")
  return value.data.markdown
}
