/** An iterable that is opened with its first item. Leaving the loop closes it at once, even while an item is awaited. Loads nothing. */
export const opened = <A>(open: () => Promise<AsyncIterable<A>>): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => {
    let opening: Promise<AsyncIterator<A>> | undefined
    const iterator = (): Promise<AsyncIterator<A>> => {
      opening ??= open().then((iterable) => iterable[Symbol.asyncIterator]())
      return opening
    }
    return {
      next: async () => (await iterator()).next(),
      return: async (value?: unknown) => {
        // Nothing to close: the loop was left before its first item.
        const closed = await (opening === undefined ? undefined : (await opening).return?.(value))
        return closed ?? { done: true, value }
      }
    }
  }
})
