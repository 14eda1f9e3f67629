// @jsxRuntime automatic @jsxImportSource preact
/** A page of a report: its head, with a policy that lets nothing be loaded, and its title. */
import type { ComponentChildren, JSX } from "preact"
import { css } from "./theme.ts"

export const Frame = ({
  children,
  styleHash,
  title
}: {
  title: string
  /** Digest of the style sheet for the page's policy, such as `sha256-…`. */
  styleHash: string
  children: ComponentChildren
}): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta
        http-equiv="Content-Security-Policy"
        content={`default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`}
      />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: css }} />
    </head>
    <body>
      <main>
        <header>
          <h1>{title}</h1>
        </header>
        {children}
      </main>
    </body>
  </html>
)
