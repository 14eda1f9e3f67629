import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** The absolute path of a target. Links are followed, so that one target has one id, and a file is never put in a link's place. */
export const locate = (given: string): Effect.Effect<string, never, FileSystem | Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    const path = yield* Path
    const absolute = path.resolve(given)
    return yield* fs.realPath(absolute).pipe(
      Effect.orElse(() =>
        Effect.map(fs.realPath(path.dirname(absolute)), (folder) => path.join(folder, path.basename(absolute)))
      ),
      Effect.orElseSucceed(() => absolute)
    )
  })
