import type { Language } from '@hawser/texts/frame/language'
import { findLanguage, loadLanguage } from '@hawser/texts/frame/loadLanguage'
import { type FrameConfig, readConfig } from './config.ts'
import { startFramed } from './framed.ts'

/** A page that is not framed. It starts at once, and is drawn when its language is loaded. */
interface Page {
  start(config: FrameConfig, language: Promise<Language>): void
}

/** The pages that nothing may frame, each a chunk of its own. */
const pages: Record<string, () => Promise<Page>> = {
  '/approve-device': () => import('./pages/approveDevice.tsx'),
  '/account': () => import('./pages/account.tsx'),
  '/recover': () => import('./pages/recover.tsx'),
  '/loading': () => import('./pages/loading.tsx'),
  '/social/start': () => import('./pages/socialStart.tsx'),
  '/social/callback': () => import('./pages/socialCallback.tsx'),
}

const config = readConfig(document)
const page = Object.hasOwn(pages, location.pathname) ? pages[location.pathname] : undefined
if (page) startPage(page)
// The embedding page posts its first message after the load event, so the listener is added before that.
else startFramed(config)

/** Starts a page that is not framed, in the first language of the visitor that is available. */
async function startPage(load: () => Promise<Page>) {
  const language = visitorsLanguage()
  const { start } = await load()
  start(config, language)
}

async function visitorsLanguage(): Promise<Language> {
  const [language, { english }] = await Promise.all([
    loadLanguage(findLanguage('auto', navigator)),
    import('@hawser/texts/frame/english'),
  ])
  return language ?? english
}
