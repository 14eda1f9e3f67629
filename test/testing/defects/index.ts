import type { Defect } from "./Defect.ts"
import { filtering } from "./filtering.ts"
import { generations } from "./generations.ts"
import { keeping } from "./keeping.ts"
import { preparingAndOutages } from "./preparing.ts"
import { removingAndReplacing } from "./removing.ts"
import { listingAndSearching } from "./searching.ts"
import { tenants } from "./tenants.ts"
import { writing } from "./writing.ts"

export const defects: ReadonlyArray<Defect> = [
  ...writing,
  ...keeping,
  ...removingAndReplacing,
  ...listingAndSearching,
  ...filtering,
  ...tenants,
  ...generations,
  ...preparingAndOutages
]
