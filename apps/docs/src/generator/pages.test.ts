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
    bytes: (path) => Buffer.from(files[path] ?? '', 'latin1'),
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

  test('keeps the place of a picture until it is loaded', () => {
    // The header of a picture of 1140 by 1185 pixels.
    const webp = 'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x74\x04\xa1\x04'
    const files = { 'one.md': '![A card](images/card.webp)', 'apps/docs/public/images/card.webp': webp }
    const { pages, problems } = render(files, ['one.md'])
    expect(pages[0]?.html).toContain(
      '<img src="images/card.webp" alt="A card" loading="lazy" width="1140" height="1185">',
    )
    expect(problems).toEqual([])
  })

  test('must not show a picture without a size', () => {
    const files = { 'one.md': '![A card](card.webp)', 'apps/docs/public/card.webp': 'GIF89a' }
    expect(render(files, ['one.md']).problems).toEqual(['one.md shows card.webp, which is no WebP picture'])
    expect(render({ 'one.md': '![A card](gone.webp)' }).problems).toEqual([
      'one.md shows gone.webp, which does not exist',
    ])
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
  const sources = {
    root: '/',
    read: new Set<string>(),
    problems: [],
    exists: () => true,
    text: () => '',
    bytes: () => Buffer.of(),
  }
  const html = renderPages([{ title: 'All', pages: [source] }], sources)[0]?.html ?? ''
  expect(html.match(/<a href="core.html#account">Account<\/a>/g)).toHaveLength(1)
  expect(html).not.toContain('href="react.html#tokens"')
})

test('the index finds a heading by the parts of a name', () => {
  const { pages } = render({ 'one.md': '# One\n\n### `store.dsn`\n\n`HAWSER_STORE_DSN`: a text' })
  const index = searchIndex(pages)
  for (const term of ['hawser_store_dsn', 'store.dsn', 'dsn']) expect(index).toContain(`\\"${term}\\"`)
})

test('what is found is shown by its text, without code, tables and entities', () => {
  const markdown =
    "# Kinds\n\nWhy there's no quote.\n\n```typescript\ntype Kind = 'noRoute'\n```\n\n| a | b |\n|---|---|\n| c | d |"
  const index = searchIndex(render({ 'one.md': markdown }).pages)
  expect(index).toContain(`\\"prose\\":\\"Why there's no quote.\\"`)
  expect(index).toContain('noroute')
  expect(index).not.toContain('#x27')
})
