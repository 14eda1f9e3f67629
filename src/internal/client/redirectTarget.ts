const nowhere = "http://relative.invalid"

/** A `Location` without credentials, query and fragment, which may hold secrets; null when there is none that can be read. */
export const redirectTarget = (location: string | undefined): string | null => {
  if (location === undefined || !URL.canParse(location, nowhere)) return null
  const { host, origin, pathname, protocol } = new URL(location, nowhere)
  if (origin === nowhere) return pathname
  return protocol === "http:" || protocol === "https:" ? `${origin}${pathname}` : `${protocol}//${host}`
}
