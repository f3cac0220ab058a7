import { Marked } from 'marked'
import type { Plugin } from 'vite'

/** Where the documents of the repository stand on the page; links to other files become plain text. */
const pages: Record<string, string> = {
  'README.md': '/guide',
  'ARCHITECTURE.md': '/guide/architecture',
  'CONTRIBUTING.md': '/guide/contributing',
  'SECURITY.md': '/guide/security',
  'CHANGELOG.md': '/guide/changelog',
  'docs/glossary.md': '/guide/glossary',
}

const marked = new Marked({
  renderer: {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const target = /^https?:/.test(href) ? href : pages[href]
      return target ? `<a href="${target}">${text}</a>` : text
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
      return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`
    },
    code({ text }) {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      return `<pre tabindex="0"><code>${escaped}</code></pre>`
    },
  },
})

/** Imports a Markdown file as a string of HTML. */
export function markdown(): Plugin {
  return {
    name: 'hawser-markdown',
    transform(source, id) {
      if (!id.endsWith('.md')) return undefined
      return { code: `export default ${JSON.stringify(marked.parse(source))}`, map: null }
    },
  }
}
