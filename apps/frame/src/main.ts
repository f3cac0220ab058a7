import { type FrameConfig, readConfig } from './config.ts'
import { startFramed } from './framed.ts'

/** The pages that nothing may frame, each a chunk of its own. */
const pages: Record<string, () => Promise<{ start(config: FrameConfig): void }>> = {
  '/approve-device': () => import('./pages/approveDevice.tsx'),
  '/account': () => import('./pages/account.tsx'),
  '/recover': () => import('./pages/recover.tsx'),
  '/loading': () => import('./pages/loading.tsx'),
  '/social/callback': () => import('./pages/socialCallback.tsx'),
}

const config = readConfig(document)
const page = Object.hasOwn(pages, location.pathname) ? pages[location.pathname] : undefined
if (page) page().then(({ start }) => start(config))
// The embedding page speaks after the load event: its listener is added before that.
else startFramed(config)
