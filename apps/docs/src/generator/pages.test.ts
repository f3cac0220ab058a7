import { describe, expect, test } from 'vitest'
import { deadLinks } from './links.ts'
import { renderPages } from './pages.ts'
import type { Repository } from './repository.ts'
import { searchIndex } from './searchIndex.ts'
import type { Page } from './types.ts'

/** Renders Markdown files, by their path, each as a page of the same name. */
function render(files: Record<string, string>, shown = Object.keys(files)): Repository & { pages: Page[] } {
  const problems: string[] = []
  const sources: Repository = {
    root: '/',
    read: new Set(),
    problems,
    exists: (path) => path in files,
    text(path) {
      if (!(path in files)) problems.push(`there is no ${path}`)
      return files[path] ?? ''
    },
  }
  const pages = shown.map((file) => ({ path: file.replace('.md', '.html'), title: file, file }))
  return { ...sources, pages: renderPages([{ title: 'All', pages }], sources) }
}

describe('a page', () => {
  test('links to pages by the files that they show', () => {
    const { pages, problems } = render({ 'a/one.md': '[two](../b/two.md#part)', 'b/two.md': '## Part' })
    expect(pages[0]?.html).toContain('<a href="../b/two.html#part">two</a>')
    expect([...problems, ...deadLinks(pages)]).toEqual([])
  })

  test('names a file that the site does not have, without a link', () => {
    const { pages, problems } = render({ 'one.md': '[code](main.go)', 'main.go': '' }, ['one.md'])
    expect(pages[0]?.html).toBe('<p>code</p>\n')
    expect(problems).toEqual([])
  })

  test('must not link to a file that does not exist', () => {
    expect(render({ 'one.md': '[gone](gone.md)' }).problems).toEqual([
      'one.md links to gone.md, which does not exist',
    ])
  })

  test('must not link to a place that is not on the other page', () => {
    const { pages } = render({ 'one.md': '[two](two.md#gone)', 'two.md': '## Here' })
    expect(deadLinks(pages)).toEqual(['one.html (one.md) links to two.html#gone, which is not on the site'])
  })

  test('shows code from the file that it names', () => {
    const { pages } = render({ 'one.md': '```ts file=main.ts\n```', 'main.ts': 'const a = 1 < 2\n' }, [
      'one.md',
    ])
    expect(pages[0]?.html).toContain('<figcaption>main.ts</figcaption>')
    expect(pages[0]?.html).toContain('&lt;')
  })

  test('must not name code that does not exist', () => {
    expect(render({ 'one.md': '```ts file=gone.ts\n```' }).problems).toEqual(['there is no gone.ts'])
  })

  test('includes another file without its title, and its links', () => {
    const files = {
      'a/one.md': '# One\n\n<!-- include: b/two.md -->\n\nEnd',
      'b/two.md': '# Two\n\n[three](three.md)\n',
      'b/three.md': '',
    }
    const { pages } = render(files, ['a/one.md', 'b/three.md'])
    expect(pages[0]?.html).not.toContain('Two')
    expect(pages[0]?.html).toContain('<a href="../b/three.html">three</a>')
    expect(pages[0]?.html).toContain('<p>End</p>')
  })

  test('has a place of its own for each of two equal headings', () => {
    const { pages } = render({ 'one.md': '## Same\n\n## Same' })
    expect(pages[0]?.headings.map(({ id }) => id)).toEqual(['same', 'same-1'])
  })

  test('draws a sequence of actors that it has', () => {
    const { pages } = render({
      'one.md': '```sequence\nPage, Wallet\nPage -> Wallet: sign\nWallet: asks\n```',
    })
    expect(pages[0]?.html).toContain('aria-label="Page to Wallet: sign. Wallet: asks"')
    expect(() => render({ 'one.md': '```sequence\nPage\nPage -> Nobody: sign\n```' })).toThrow(
      'no actor Nobody',
    )
  })
})

test('code links the types that it names, but not what it declares', () => {
  const names = new Map([
    ['Account', 'core.html#account'],
    ['Tokens', 'react.html#tokens'],
  ])
  const source = {
    path: 'react.html',
    title: '',
    file: 'react.md',
    markdown:
      '```typescript\ninterface Tokens {\n  /** Of an Account. */\n  of: Account\n}\n```\n\n## Tokens',
    names,
  }
  const sources = { root: '/', read: new Set<string>(), problems: [], exists: () => true, text: () => '' }
  const html = renderPages([{ title: 'All', pages: [source] }], sources)[0]?.html ?? ''
  expect(html.match(/<a href="core.html#account">Account<\/a>/g)).toHaveLength(1)
  expect(html).not.toContain('href="react.html#tokens"')
})

test('the index finds a heading by the parts of a name', () => {
  const { pages } = render({ 'one.md': '# One\n\n### `store.dsn`\n\n`HAWSER_STORE_DSN`: a text' })
  const index = searchIndex(pages)
  for (const term of ['hawser_store_dsn', 'store.dsn', 'dsn']) expect(index).toContain(`\\"${term}\\"`)
})
