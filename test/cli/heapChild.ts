import { limit } from "../../src/cli/HeapGrowth.ts"

/** Allocates garbage that survives the first collections, over some 50 MB that stay alive; prints the largest heap in MiB. */
if (process.argv[2] === "limited") limit()
const alive = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `alive ${index}` }))
const recent = Array.from({ length: 100_000 }, (): object => ({}))
let largest = 0
for (let index = 0; index < 3_000_000; index++) {
  recent[index % recent.length] = { index, list: [index, alive.length] }
  if (index % 50_000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal)
}
process.stdout.write(String(Math.round(largest / 1_048_576)))
