import { type FrameConfig, readConfig } from './config.ts'
import { startFramed } from './framed.ts'
import type { Language } from './locale/language.ts'
import { findLanguage, loadLanguage } from './locale/loadLanguage.ts'

/** The pages that nothing may frame, each a chunk of its own. */
const pages: Record<string, () => Promise<{ start(config: FrameConfig, language: Language): void }>> = {
  '/approve-device': () => import('./pages/approveDevice.tsx'),
  '/account': () => import('./pages/account.tsx'),
  '/recover': () => import('./pages/recover.tsx'),
  '/loading': () => import('./pages/loading.tsx'),
  '/social/callback': () => import('./pages/socialCallback.tsx'),
}

const config = readConfig(document)
const page = Object.hasOwn(pages, location.pathname) ? pages[location.pathname] : undefined
if (page) startPage(page)
// The embedding page speaks after the load event: its listener is added before that.
else startFramed(config)

/** Starts a page of its own in the first language of the visitor that there is. */
async function startPage(load: () => Promise<{ start(config: FrameConfig, language: Language): void }>) {
  const language = loadLanguage(findLanguage('auto', navigator))
  const [{ start }, { english }] = await Promise.all([load(), import('./locale/english.ts')])
  start(config, (await language) ?? english)
}
