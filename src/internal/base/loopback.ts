const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"

const loopback = new RegExp(`^(?:localhost|127(?:\\.${octet}){3}|::1|\\[::1\\])$`, "iu")

/** True for a host, without a port, that only this machine reaches. `127.999.1.1` is a name, which may be anybody's. */
export const isLoopback = (host: string): boolean => loopback.test(host)
