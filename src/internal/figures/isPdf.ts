/** Number of first bytes among which a PDF has its header. */
const head = 1024

/** True for the bytes of a PDF. */
export const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, head)).includes("%PDF-")
