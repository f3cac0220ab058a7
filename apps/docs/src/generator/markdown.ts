import { posix } from 'node:path'
import { Marked } from 'marked'
import { highlight } from './highlight.ts'
import { escapeHtml, plain } from './html.ts'
import { picture } from './pictures.ts'
import type { Repository } from './repository.ts'
import { sequence } from './sequence.ts'
import type { Heading, Source } from './types.ts'

/** Renders Markdown of several files into one page. */
export interface Renderer {
  headings: Heading[]
  render: (file: string, markdown: string) => string
}

/**
 * Returns a renderer for a page.
 *
 * @param places paths of pages by the file that they show
 */
export function createRenderer(
  { path, names }: Source,
  places: ReadonlyMap<string, string>,
  sources: Repository,
): Renderer {
  const headings: Heading[] = []
  let current = ''
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const html = this.parser.parseInline(tokens)
        const text = plain(html)
        const id = freshId(text, headings)
        headings.push({ depth, id, text })
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`
        return `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolveLink(href)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      image({ href, text }) {
        return picture(href, text, path, current, sources)
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" role="group" aria-label="${tableName(headings)}" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`
      },
      code({ text, lang = '' }) {
        const [language = '', ...options] = lang.split(' ')
        if (language === 'sequence') return `<figure>${sequence(text)}</figure>\n`
        const file = options.find((option) => option.startsWith('file='))?.slice('file='.length)
        const code = highlight(file === undefined ? text : sources.text(file).trimEnd(), language)
        return codeBlock(names ? withLinks(code, names, path) : code, file)
      },
    },
  })

  /** Returns where a link of the file leads on the site; undefined for a file that the site does not have. */
  function resolveLink(href: string): string | undefined {
    if (/^(https?:|mailto:|#)/.test(href)) return href
    const [target = '', fragment] = href.split('#')
    const file = posix.join(posix.dirname(current), target)
    const place = places.get(file)
    if (place === undefined) {
      if (!sources.exists(file)) sources.problems.push(`${current} links to ${href}, which does not exist`)
      return undefined
    }
    return relative(path, place) + (fragment === undefined ? '' : `#${fragment}`)
  }

  return {
    headings,
    render(file, markdown) {
      current = file
      return marked.parse(markdown, { async: false })
    },
  }
}

/** Returns the path of a page as another one links to it. */
export function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to)
}

/** Returns highlighted code with a copy button. The script of the page handles the button. */
function codeBlock(code: string, file: string | undefined): string {
  const caption = file === undefined ? '' : `<figcaption>${escapeHtml(file)}</figcaption>`
  return `<figure class="code">${caption}<pre tabindex="0" role="group" aria-label="${file === undefined ? 'Code' : escapeHtml(file)}"><code>${code}</code></pre></figure>\n`
}

/** Comments and strings of highlighted code, its tags and entities, and words that may be the name of a type. */
const pieces = /<span class="hljs-(?:comment|string)">[\s\S]*?<\/span>|<[^>]*>|&\w+;|\b[A-Z]\w*/g

/** Links the types in highlighted code, except those that the code itself declares. */
function withLinks(code: string, names: ReadonlyMap<string, string>, path: string): string {
  const [, declared] = /^(?:[a-z]+ )+(\w+)/.exec(plain(code)) ?? []
  return code.replaceAll(pieces, (word) => {
    const target = word === declared ? undefined : names.get(word)
    if (target === undefined) return word
    const href = target.startsWith(`${path}#`) ? target.slice(path.length) : relative(path, target)
    return `<a href="${href}">${word}</a>`
  })
}

function tableName(headings: readonly Heading[]): string {
  return `Table: ${escapeHtml(headings.at(-1)?.text ?? '')}`
}

/**
 * Returns the id of a heading as code hosts derive it. A number is appended when another heading has the same
 * id.
 */
function freshId(text: string, taken: readonly Heading[]): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const same = taken.filter((heading) => heading.id.replace(/-\d+$/, '') === id || heading.id === id).length
  return same === 0 ? id : `${id}-${same}`
}
