import { describe, it } from "@effect/vitest"
import { expectAll } from "./page.ts"

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

describe("blocks of code", () => {
  it.effect("have the language that their class names or attributes state, on any element around them", () =>
    expectAll([
      ['<pre><code class="language-rust">let x;</code></pre>', fenced("rust", "let x;")],
      ['<pre><code class="hljs javascript">let x;</code></pre>', fenced("javascript", "let x;")],
      ['<pre class="brush: js; toolbar: false">let x;</pre>', fenced("js", "let x;")],
      ['<pre class="sourceCode python"><code>x = 1</code></pre>', fenced("python", "x = 1")],
      ['<pre lang="go">x := 1</pre>', fenced("go", "x := 1")],
      ['<pre data-language="toml"><code>x = 1</code></pre>', fenced("toml", "x = 1")],
      ['<div class="highlight highlight-source-shell"><pre>ls</pre></div>', fenced("shell", "ls")],
      [
        '<div class="highlight-python3 notranslate"><div class="highlight"><pre>x = 1</pre></div></div>',
        fenced("python", "x = 1")
      ],
      [
        '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x = 1</code></pre></div></div>',
        fenced("ruby", "x = 1")
      ],
      ['<div class="highlight-default notranslate"><div class="highlight"><pre>x</pre></div></div>', fenced("", "x")]
    ])
  )

  it.effect("are verbatim: marks of highlighters are gone, breaks and lines of other elements are lines", () =>
    expectAll([
      ["<pre>a *b*<br>  c_d_e</pre>", fenced("", "a *b*\n  c_d_e")],
      ["<pre><code><span>if</span> x:\n\n    <b>y</b>()\n</code></pre>", fenced("", "if x:\n\n    y()")],
      [
        '<pre class="shiki"><code><span class="line">a</span><span class="line"></span><span class="line">  b</span></code></pre>',
        fenced("", "a\n\n  b")
      ],
      ["<pre><ol><li>int a;</li>\n<li>int b;</li></ol></pre>", fenced("", "int a;\nint b;")],
      [
        '<div class="fragment"><div class="line"><a></a><span class="lineno">1</span>int a;</div>\n<div class="line">int b;</div>\n</div>',
        fenced("", "int a;\nint b;")
      ],
      ["<pre>x\n<button>Copy</button></pre>", fenced("", "x")]
    ])
  )

  it.effect("next to the numbers of their lines are code, not tables", () => {
    const code = fenced("", "a\nb")
    return expectAll([
      [
        '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
        code
      ],
      [
        '<table class="rouge-table"><tr><td class="gutter gl"><pre class="lineno">1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
        code
      ],
      [
        '<table><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code code">a</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="code">b</td></tr></table>',
        code
      ],
      ["<table><tr><td>1</td><td>one</td></tr></table>", "|  |  |\n| --- | --- |\n| 1 | one |"]
    ])
  })

  it.effect("of all tabs are kept, also of those that are hidden", () =>
    expectAll([
      [
        '<div role="tabpanel"><pre lang="js">a</pre></div><div role="tabpanel" hidden><pre lang="py">b</pre></div>',
        `${fenced("js", "a")}\n\n${fenced("py", "b")}`
      ]
    ])
  )
})
