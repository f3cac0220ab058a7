import { escapeHtml, plain } from './html.ts'
import { relative } from './markdown.ts'
import type { Page, Section } from './types.ts'

/** Sections with more pages than this are closed, except on their own pages. */
const openSection = 10

/** Pages with more headings list those of the second level only. */
const mostPlaces = 60

/** Returns the document of a page. Every address in it is relative, so that the site works below any path, and from a folder. */
export function layout(page: Page, pages: readonly Page[], sections: readonly Section[]): string {
  const root = relative(page.path, '.') === '' ? '' : `${relative(page.path, '.')}/`
  const title = page.path === 'index.html' ? 'Hawser documentation' : `${page.title} · Hawser`
  return `<!doctype html>
<html lang="en" data-hw-theme="dark" data-theme="dark" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.about ?? firstParagraph(page.html))}">
<link rel="icon" href="${root}hawser.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}page.css">
<script src="${root}page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<button class="icon-button menu-button" type="button" popovertarget="menu" aria-label="Pages"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></svg></button>
<a class="brand" href="${root}index.html"><svg class="mark" width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><path class="mark-posts" d="M10 26V6M22 26V6"/><path class="mark-rope" d="M3.5 18c3-5.5 7-5.5 12.5-2s9.5 3.5 12.5-2"/></svg><span>Hawser <span class="brand-docs">docs</span></span></a>
<button class="search-button" type="button" data-search-open aria-label="Search"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 4 4"/></svg><span>Search</span><kbd>/</kbd></button>
<button class="icon-button" type="button" data-theme-switch aria-label="Use the light theme"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" class="filled"/></svg></button>
</header>
<div class="columns">
<nav class="menu" id="menu" popover aria-label="Pages">
${sections.map((section) => menuSection(section, page)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article class="text">
${page.html}</article>
${turn(page, pages)}
</main>
${places(page)}
</div>
<dialog class="search" aria-label="Search the documentation">
<form method="dialog" role="search">
<input type="text" role="searchbox" inputmode="search" name="words" aria-label="Search for" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
<button class="text-button" type="submit" value="close">Close</button>
</form>
<p class="search-state" role="status"></p>
<ul class="search-results"></ul>
</dialog>
</body>
</html>
`
}

/** Returns the text of the first paragraph, which describes a page that has no other description. */
function firstParagraph(html: string): string {
  return plain(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '')
}

function menuSection({ title, pages }: Section, current: Page): string {
  const isOpen = pages.length <= openSection || title === current.section
  const links = pages
    .map(({ path, title }) => {
      const state = path === current.path ? ' aria-current="page"' : ''
      return `<li><a href="${relative(current.path, path)}"${state}>${escapeHtml(title)}</a></li>`
    })
    .join('')
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${links}</ul></details>`
}

/** Returns links to the previous and the next page. */
function turn(page: Page, pages: readonly Page[]): string {
  const at = pages.findIndex(({ path }) => path === page.path)
  const link = (to: Page | undefined, name: string, rel: string) =>
    to
      ? `<a class="turn-${rel}" rel="${rel}" href="${relative(page.path, to.path)}"><span>${name}</span> ${escapeHtml(to.title)}</a>`
      : ''
  return `<nav class="turn" aria-label="Previous and next page">${link(pages[at - 1], 'Previous', 'prev')}${link(pages[at + 1], 'Next', 'next')}</nav>`
}

/** Returns links to the headings of the page, if there are at least two. */
function places(page: Page): string {
  const two = page.headings.filter(({ depth }) => depth === 2 || depth === 3)
  const shown = two.length > mostPlaces ? two.filter(({ depth }) => depth === 2) : two
  if (shown.length < 2) return '<div class="places"></div>'
  const links = shown
    .map(({ id, depth, text }) => `<li><a href="#${id}" data-depth="${depth}">${escapeHtml(text)}</a></li>`)
    .join('')
  return `<nav class="places" aria-label="On this page"><p aria-hidden="true">On this page</p><ul>${links}</ul></nav>`
}
