/** Behind the end of every text, and small enough for the engine to keep it as an integer. */
const never = 0x3fff_ffff

const nextOf = (text: string, mark: string, at: number): number => {
  const found = text.indexOf(mark, at)
  return found < 0 ? never : found
}

/** Finds where lines end, from the first to the last: at a line feed, a carriage return or both. */
export class LineEnds {
  /** Next ones, looked up when they are passed, so that a text without one of them is searched for it once. */
  private lineFeed = -1
  private carriageReturn = -1
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** End of the line that holds `at`, its line break excluded; at most `end`. */
  of(at: number, end: number): number {
    if (this.lineFeed < at) {
      this.lineFeed = nextOf(this.text, "\n", at)
    }
    if (this.carriageReturn < at) {
      this.carriageReturn = nextOf(this.text, "\r", at)
    }
    return Math.min(this.lineFeed, this.carriageReturn, end)
  }

  /** Start of the line after the one that ends at `at`. */
  next(at: number): number {
    return at === this.carriageReturn && this.lineFeed === at + 1 ? at + 2 : at + 1
  }
}
