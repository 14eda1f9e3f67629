import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, text } from "./writePdf.ts"

const sentence = (topic: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `the ${topic} column has a line ${at} here`)

describe("CodeLines", () => {
  it("keeps code as it stands, with its indentation, in a fence", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 120, sentence("text", 10)),
            text(72, 260, "if (ready) {", { font: "mono" }),
            text(84, 272, "start(`now`)", { font: "mono" }),
            text(72, 284, "}", { font: "mono" }),
            ...lines(72, 320, sentence("more", 5))
          ]
        }
      ]
    })
    assert.include(markdown, "```\nif (ready) {\n  start(`now`)\n}\n```")
  })

  it("keeps code in a manual that is half of it, and none in typescript", async () => {
    const code = Array.from({ length: 24 }, (_, at) => `call ${at} with the value that was read, then go on`)
    const made = (prose: ReadonlyArray<Mark>) =>
      parse({ pages: [{ marks: [...prose, ...lines(72, 260, code, { font: "mono" })] }] })
    assert.include((await made(lines(72, 120, sentence("text", 10)))).markdown, `\`\`\`\n${code[0]}\n${code[1]}\n`)
    assert.notInclude((await made([text(72, 120, "A title")])).markdown, "```")
  })
})
