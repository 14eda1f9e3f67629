/** The cases of `SinkConformance`, and the world that they run in. */
import type { Case } from "./Case.ts"
import { filtering } from "./cases/filtering.ts"
import { filteringFields } from "./cases/filteringFields.ts"
import { generations } from "./cases/generations.ts"
import { judging } from "./cases/judging.ts"
import { keeping } from "./cases/keeping.ts"
import { listing } from "./cases/listing.ts"
import { naming } from "./cases/naming.ts"
import { outages } from "./cases/outages.ts"
import { preparing } from "./cases/preparing.ts"
import { removing } from "./cases/removing.ts"
import { replacing } from "./cases/replacing.ts"
import { searching } from "./cases/searching.ts"
import { tenants } from "./cases/tenants.ts"
import { writing } from "./cases/writing.ts"

export const cases: ReadonlyArray<Case> = [
  ...writing,
  ...keeping,
  ...naming,
  ...removing,
  ...replacing,
  ...listing,
  ...searching,
  ...judging,
  ...filtering,
  ...filteringFields,
  ...tenants,
  ...generations,
  ...preparing,
  ...outages
]
