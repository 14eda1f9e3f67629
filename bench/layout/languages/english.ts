import { type Language, lines, list, terms } from "./language.ts"

export const english: Language = {
  code: "en",
  script: "latin",
  rtl: false,
  space: " ",
  nouns: list(`
    harbour ledger signal meadow orbit quarry lantern copper valley archive thread barrel window engine glacier market summit
    pigment current anchor canyon fabric garden hollow island kernel lumber mirror needle orchard parcel bridge committee
    district estimate filter governor hospital inspection journey laboratory machine network operator pressure question register
    schedule temperature vessel warehouse agreement budget catalogue delivery evidence forecast grammar hypothesis instrument
    library mechanism notebook obligation procedure quotient reservoir surface theory utility voltage waterway`),
  verbs: list(`
    measures reaches covers describes follows supports replaces limits connects carries explains improves protects reduces
    collects compares controls defines delivers examines governs includes joins observes predicts records separates tests
    transforms updates verifies weakens exceeds resembles restores`),
  adjectives: list(`
    narrow public seasonal early northern reliable local recent broad modest annual careful common direct entire formal gradual
    hidden initial joint liquid mutual neutral open partial quiet rapid separate technical urban visible western mild durable`),
  names: lines(`
    Anna Whitfield
    Peter Osgood
    Margaret Lindqvist
    Samuel Achebe
    Ruth Calloway
    Edwin Marsh
    Clara Novak
    Hugh Penrose`),
  sentences: lines(`
    The {a} {n} {v} the {n} of the {n}.
    In {0}, the {n} {v} a {a} {n}, although the {n} {v} less than {0} percent of it.
    Each {n} {v} one {n}; no {n} {v} more than two.
    According to {N}, the {a} {n} {v} every {n} in the {n}.
    When a {n} {v} the {n}, the {a} {n} {v} it as well.
    Neither the {n} nor the {n} {v} what the {n} {v}.
    This {n} {v} {0} items from the {a} {n}, the {n} and the {a} {n} between them.
    Why the {n} {v} the {a} {n} is an open {n}.
    It follows that a {a} {n} (see the {n} above) {v} its {n}.
    Most of the {n} {v} the {a} {n} within {0} days.
    If the {n} {v} too little, a second {n} {v} the rest of the {a} {n} by the end of the {n}.
    A {a} {n}, as {N} wrote, {v} both {n} and {n}.`),
  headings: lines(`
    {a} {n}
    {n} and {n}
    The {n} of the {n}
    {a} {n} in the {n}
    How the {n} {v} the {n}
    {n}
    {n} before {n}
    A {a} {n} for each {n}
    Notes on the {a} {n}`),
  terms: terms(
    "Figure|Table|Contents|Chapter|Abstract|Notes|Page|Total|Date|Number|Name|Amount|Address|Dear|Yours sincerely,|Invoice|References"
  )
}
