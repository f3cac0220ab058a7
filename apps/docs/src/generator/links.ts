import { posix } from 'node:path'
import type { Page } from './types.ts'

/** Returns a line for each link whose page or heading does not exist on the site. */
export function deadLinks(pages: readonly Page[]): string[] {
  const ids = new Map(pages.map((page) => [page.path, idsOf(page.html)]))
  return pages.flatMap((page) =>
    [...page.html.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^(https?:|mailto:)/.test(href)) return []
      const [target = '', fragment] = href.split('#')
      const path = target === '' ? page.path : posix.join(posix.dirname(page.path), target)
      const places = ids.get(path)
      if (places && (fragment === undefined || places.has(fragment))) return []
      return [`${page.path} (${page.file}) links to ${href}, which is not on the site`]
    }),
  )
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}
