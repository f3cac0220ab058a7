import type { Plugin } from 'vite'
import { contents } from '../contents.ts'
import { layout } from './layout.ts'
import { deadLinks } from './links.ts'
import { renderPages } from './pages.ts'
import { repository } from './repository.ts'
import { searchIndex } from './searchIndex.ts'

/** Renders the pages of the documentation beside the script and the styles that Vite builds; a broken link fails the build. */
export function documentation(): Plugin {
  return {
    name: 'hawser-documentation',
    generateBundle() {
      const sources = repository()
      const sections = contents(sources)
      const pages = renderPages(sections, sources)
      const dead = [...sources.problems, ...deadLinks(pages)]
      if (dead.length > 0) this.error(`the documentation is wrong:\n  ${dead.join('\n  ')}`)
      for (const file of sources.read) this.addWatchFile(file)
      for (const page of pages)
        this.emitFile({ type: 'asset', fileName: page.path, source: layout(page, pages, sections) })
      this.emitFile({ type: 'asset', fileName: 'search.js', source: searchIndex(pages) })
    },
  }
}
