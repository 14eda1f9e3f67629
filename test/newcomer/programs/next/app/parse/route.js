import * as Async from "docsluice/Async"

export const dynamic = "force-dynamic"

export const GET = async () => {
  const { markdown } = await Async.parse("docs/handbook.pdf")
  return new Response(markdown)
}
