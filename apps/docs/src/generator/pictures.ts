import { posix } from 'node:path'
import { escapeHtml } from './html.ts'
import { relative } from './markdown.ts'
import type { Repository } from './repository.ts'
import { webpSize } from './webpSize.ts'

/** Files that the site serves as they are, in the repository. */
const publicFiles = 'apps/docs/public'

/**
 * Returns a picture. A drawing (.svg) becomes part of the page, so that it takes the colours of the theme. `{theme}` in a name is replaced by light and dark: each
 * theme shows its own file.
 *
 * @param page path of the page
 * @param file that names the picture
 */
export function picture(href: string, text: string, page: string, file: string, sources: Repository): string {
  if (href.endsWith('.svg')) return drawing(sources.text(posix.join(posix.dirname(file), href)), text)
  const image = (theme: string) => {
    const path = href.replace('{theme}', theme)
    const only = theme === '' ? '' : ` data-only="${theme}"`
    return `<img src="${relative(page, path)}" alt="${escapeHtml(text)}" loading="lazy"${sizeOf(path, file, sources)}${only}>`
  }
  const images = href.includes('{theme}') ? image('dark') + image('light') : image('')
  return `<span class="picture">${images}</span>`
}

/** Returns the attributes that keep the place of a picture until it is loaded. */
function sizeOf(path: string, file: string, sources: Repository): string {
  const found = `${publicFiles}/${path}`
  const size = sources.exists(found) ? webpSize(sources.bytes(found)) : undefined
  if (size) return ` width="${size.width}" height="${size.height}"`
  const problem = sources.exists(found) ? 'is no WebP picture' : 'does not exist'
  sources.problems.push(`${file} shows ${path}, which ${problem}`)
  return ''
}

/** Returns an SVG with its description; a title would be a tooltip as well. */
export function drawing(svg: string, text: string): string {
  return svg
    .trim()
    .replace(/\s*<title>.*?<\/title>/, '')
    .replace('<svg', `<svg class="drawing" role="img" aria-label="${escapeHtml(text)}"`)
}
