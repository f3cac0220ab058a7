import { type ComponentChild, render } from 'preact'
import { applyLanguage, type Language } from '../locale/language.ts'
import { LanguageContext } from '../locale/useLanguage.ts'

/** Draws a page that is not framed, with a heading. */
export function mount(language: Language, title: string, content: ComponentChild): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  document.title = title
  document.documentElement.dataset.page = 'lone'
  applyLanguage(document, language)
  render(
    <LanguageContext.Provider value={language}>
      <main class="page">
        <h1>{title}</h1>
        {content}
      </main>
    </LanguageContext.Provider>,
    root,
  )
}
