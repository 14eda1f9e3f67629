/** The embedded engine, liteparse-wasm by itself, pdf-inspector where it is installed in `bench/peers`, and pdftotext where it is. */
import { spawnSync } from "node:child_process"
import { LiteParse, type LayoutBlock } from "@llamaindex/liteparse-wasm"
import * as PeerPackage from "../../peerPackage.ts"
import * as Pdf from "../pdf.ts"
import { isInstalled } from "../producers/producer.ts"
import type { BoxedBlock } from "../score/blocks.ts"
import type { Engine } from "./engine.ts"

const ours: Engine = {
  name: "docsluice",
  parse: async (bytes) => {
    const result = await Pdf.parse(bytes)
    if (result.kind === "failure") throw new Error(result.error)
    const blocks = (result.blocks ?? []).flatMap(({ items, pageNumber: page }) =>
      items.flatMap(({ bbox, type }): ReadonlyArray<BoxedBlock> => (bbox === null ? [] : [{ page, type, box: bbox }]))
    )
    return { markdown: result.markdown, blocks }
  }
}

const kinds: Readonly<Record<string, string>> = { heading: "section_header", table: "table", figure: "figure" }

const liteparse: Engine = {
  name: "liteparse-wasm",
  parse: async (bytes) => {
    await Pdf.countPages(bytes)
    const parser = new LiteParse({ ocrEnabled: false, quiet: true, outputFormat: "markdown", extractBlocks: true })
    try {
      const { pages } = await parser.parse(bytes)
      const boxed = (
        block: LayoutBlock,
        page: { readonly pageNum: number; readonly width: number; readonly height: number }
      ) => {
        if (block.bbox === undefined || block.kind === "rule") return []
        const { height, width, x, y } = block.bbox
        const box = [x / page.width, y / page.height, (x + width) / page.width, (y + height) / page.height] as const
        return [{ page: page.pageNum, type: kinds[block.kind] ?? "text", box }]
      }
      return {
        markdown: pages.map(({ markdown }) => markdown).join("\n\n"),
        blocks: pages.flatMap((page) => (page.blocks ?? []).flatMap((block) => boxed(block, page)))
      }
    } finally {
      parser.free()
    }
  }
}

const inspector = async (): Promise<ReadonlyArray<Engine>> => {
  const name = "@firecrawl/pdf-inspector"
  const peer = await PeerPackage.load(name)
  if (peer === undefined) {
    console.error(`${name} is left out: it is not installed in bench/peers`)
    return []
  }
  const library = PeerPackage.member(peer, "processPdf") === undefined ? PeerPackage.member(peer, "default") : peer
  return [
    {
      name: "pdf-inspector",
      parse: async (bytes) => {
        const result = PeerPackage.call(library, "processPdf", Buffer.from(bytes))
        const markdown = PeerPackage.member(result, "markdown")
        return { markdown: typeof markdown === "string" ? markdown : "", blocks: undefined }
      }
    }
  ]
}

/** The text layer in the order of poppler, where its program is installed. */
const pdftotext = (): ReadonlyArray<Engine> =>
  isInstalled("pdftotext")
    ? [
        {
          name: "pdftotext",
          parse: (bytes) => {
            const { status, stderr, stdout } = spawnSync("pdftotext", ["-", "-"], {
              input: bytes,
              encoding: "utf8",
              maxBuffer: 1 << 28
            })
            return status === 0
              ? Promise.resolve({ markdown: stdout, blocks: undefined })
              : Promise.reject(new Error(stderr))
          }
        }
      ]
    : []

export const all = async (): Promise<ReadonlyArray<Engine>> => [ours, liteparse, ...(await inspector()), ...pdftotext()]
