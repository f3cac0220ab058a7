import MiniSearch from 'minisearch'
import { type Place, searchOptions } from '../client/searchOptions.ts'
import { plain } from './html.ts'
import type { Page } from './types.ts'

/**
 * Returns a script that passes the index of every heading's text to the page. Unlike JSON, a script also
 * loads when the site is opened from a folder.
 */
export function searchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch<Place>(searchOptions)
  index.addAll(pages.flatMap(placesOf))
  return `window.hawserSearch(${JSON.stringify(JSON.stringify(index))})\n`
}

/** Splits a page at its headings. */
function placesOf(page: Page): Place[] {
  const pieces = page.html.split(/(?=<h[1-6] id=")/)
  return pieces.flatMap((piece) => {
    const heading = page.headings.find(({ id }) => piece.startsWith('<h') && piece.includes(` id="${id}"`))
    if (!heading) return []
    const html = piece.replace(/^<h(\d)[\s\S]*?<\/h\1>/, '')
    return {
      id: heading.depth === 1 ? page.path : `${page.path}#${heading.id}`,
      title: heading.text,
      page: heading.depth === 1 ? page.section : `${page.section}: ${page.title}`,
      text: plain(html),
      prose: plain(html.replaceAll(/<(figure|table)\b[\s\S]*?<\/\1>/g, '')),
    }
  })
}
