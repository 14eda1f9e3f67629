import * as Stream from "effect/Stream"
import { SeenNames } from "../base/seenNames.ts"
import { Damaged } from "./damaged.ts"

/** Members of a page. */
const pageSize = 256

async function* pages<A extends { readonly key: string }>(members: AsyncIterable<A>): AsyncGenerator<Array<A>> {
  const seen = new SeenNames()
  let page: Array<A> = []
  for await (const member of members) {
    if (!seen.add(member.key)) {
      throw new Damaged(`it holds two files of the name ${member.key}; unpack it into a folder, so that one is left`)
    }
    page.push(member)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Members a page at a time. An archive with two members of one name is refused: programs differ in which of them they take. */
export const paged = <A extends { readonly key: string }, E>(
  members: () => AsyncIterable<A>,
  failed: (cause: unknown) => E
): Stream.Stream<ReadonlyArray<A>, E> => Stream.suspend(() => Stream.fromAsyncIterable(pages(members()), failed))
