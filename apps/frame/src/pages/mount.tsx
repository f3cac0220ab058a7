import { visibleText } from '@hawser/texts/format/visibleText'
import { applyLanguage, type Language } from '@hawser/texts/frame/language'
import { type ComponentChild, render } from 'preact'
import { readConfig } from '../config.ts'
import { LanguageContext, useTexts } from '../locale/useLanguage.ts'
import { Icon } from './Icon.tsx'
import { Screen } from './Screen.tsx'

/** Draws a page of one screen that is not framed. */
export function mount(language: Language, title: string, content: ComponentChild): void {
  mountScreens(language, title, <Screen title={title}>{content}</Screen>)
}

/**
 * Draws a page that is not framed, whose content is a screen.
 *
 * @param site origin of the site that opened the page; undefined if it is not known
 */
export function mountScreens(
  language: Language,
  title: string,
  screens: ComponentChild,
  site?: string | undefined,
): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  document.title = title
  document.documentElement.dataset.page = 'lone'
  applyLanguage(document, language)
  render(
    <LanguageContext.Provider value={language}>
      <div class="stage">
        <Brand name={readConfig(document).name} />
        {screens}
        {site && <BackToSite site={site} />}
      </div>
    </LanguageContext.Provider>,
    root,
  )
}

/** The mark and the name of the project. */
function Brand({ name }: { readonly name: string }) {
  const { screen } = useTexts()
  return (
    <header class="brand">
      <span class="tile">
        <Icon name="wallet" />
      </span>
      <bdi>{visibleText(name) || screen.wallet}</bdi>
    </header>
  )
}

/** How long a browser takes to close a window that a page may close, in milliseconds. */
const CLOSING_MS = 300

/** Closes the window, and loads the site where the browser does not close it. */
function BackToSite({ site }: { readonly site: string }) {
  const { screen } = useTexts()
  return (
    <nav>
      <a
        href={site}
        onClick={(event) => {
          event.preventDefault()
          window.close()
          setTimeout(() => location.assign(site), CLOSING_MS)
        }}
      >
        {screen.backTo(site.replace(/^https?:\/\//, ''))}
      </a>
    </nav>
  )
}
