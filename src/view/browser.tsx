// @jsxRuntime automatic @jsxImportSource preact
/** Entry of the browser's part. */
import { render } from "preact"
import { App } from "./App.tsx"
import { watchEarly } from "./ask/early.ts"

watchEarly()
const root = document.getElementById("app")
if (root !== null) render(<App />, root)
