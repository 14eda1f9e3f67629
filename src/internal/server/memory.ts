import { totalmem } from "node:os"

/** Memory that is left for the work in hand, in bytes; with less than this nothing new is begun. */
const reserve = 128 * 1024 * 1024

/** True when this process, or its container, is about to run out of memory. */
export const isShort = (): boolean => process.availableMemory() < Math.min(reserve, totalmem() / 16)
