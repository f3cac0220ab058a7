import { createRenderer } from './markdown.ts'
import type { Repository } from './repository.ts'
import type { Page, Section } from './types.ts'

/** Matches a line `<!-- include: path -->`, which includes a Markdown file without its title. */
const include = /^<!-- include: (\S+) -->$/gm

/** Renders every page. */
export function renderPages(sections: readonly Section[], sources: Repository): Page[] {
  const all = sections.flatMap(({ title, pages }) => pages.map((page) => ({ section: title, ...page })))
  const documents = all.map((page) => ({
    ...page,
    parts: parts(page.file, page.markdown ?? sources.text(page.file), sources),
  }))
  const places = new Map(
    documents.flatMap(({ path, parts }) => parts.map(({ file }) => [file, path] as const)),
  )
  // A page of its own comes before one that includes the same file.
  for (const { file, path } of documents) places.set(file, path)
  return documents.map(({ parts, ...page }) => {
    const renderer = createRenderer(page, places, sources)
    const html = parts.map(({ file, markdown }) => renderer.render(file, markdown)).join('')
    return { ...page, html, headings: renderer.headings }
  })
}

interface Part {
  file: string
  markdown: string
}

/** Splits a document at its includes. */
function parts(file: string, markdown: string, sources: Repository): Part[] {
  // split puts the group of the expression, the path of an include, between the pieces.
  return markdown
    .split(include)
    .map((piece, index) =>
      index % 2 === 0
        ? { file, markdown: piece }
        : { file: piece, markdown: sources.text(piece).replace(/^# .*\n/, '') },
    )
}
