/** The rules of the modes `fast` and `aggressive` together: from a text to spans. */
import * as Account from "./Account.ts"
import * as Email from "./Email.ts"
import * as Location from "./Location.ts"
import * as Person from "./Person.ts"
import * as Phone from "./Phone.ts"
import * as Reading from "./Reading.ts"
import * as Secret from "./Secret.ts"
import * as Signs from "./Signs.ts"
import * as Span from "./Span.ts"

/**
 * Spans of all buckets, in the order of the text, none overlapping another. Where rules disagree the more certain one wins: a card is no
 * phone, an address no person. Linear in the length of the text.
 */
export const find = (text: string, mode: "fast" | "aggressive"): ReadonlyArray<Span.Span> => {
  const reading = Reading.make(Signs.plain(text), mode === "aggressive")
  const secret = Secret.find(reading)
  const person = Person.find(reading)
  return Span.combine([
    secret.certain,
    Email.find(reading),
    Account.find(reading),
    secret.likely,
    Phone.find(reading),
    person.certain,
    Location.find(reading),
    person.likely,
    person.parts
  ])
}
