import '@hawser/react/styles.css'
import '@hawser/ui/styles.css'
import './page/page.css'
import { HawserProvider } from '@hawser/react'
import { ThemeScope } from '@hawser/ui'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadConfig } from './lab/config.ts'
import { createLab } from './lab/createLab.ts'
import { readFlags } from './lab/flags.ts'
import { LabContext } from './lab/LabContext.ts'
import { followSystemTheme } from './page/systemTheme.ts'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no root element')
const root = createRoot(container)

try {
  const flags = readFlags(location.search)
  document.documentElement.dir = flags.direction
  const [config, Page] = await Promise.all([loadConfig(), loadPage(location.pathname)])
  const lab = await createLab(config, flags)
  if (!flags.theme) followSystemTheme(lab.hawser)
  root.render(
    <StrictMode>
      <LabContext value={lab}>
        <HawserProvider hawser={lab.hawser}>
          <Page />
        </HawserProvider>
      </LabContext>
    </StrictMode>,
  )
} catch (error) {
  console.error('The page could not start', error)
  root.render(<StartFailure message={error instanceof Error ? error.message : String(error)} />)
}

/** Returns the page of a path; the front page by default. */
async function loadPage(path: string): Promise<ComponentType> {
  if (path.startsWith('/lab')) return (await import('./lab/LabPage.tsx')).LabPage
  if (path.startsWith('/embed')) return (await import('./embed/EmbedPage.tsx')).EmbedPage
  return (await import('./home/HomePage.tsx')).HomePage
}

/** Shown when the configuration of the page could not be loaded. */
function StartFailure({ message }: { message: string }) {
  return (
    <ThemeScope mode="dark">
      <main className="start-failure">
        <h1>This page could not start</h1>
        <p>{message}</p>
        <p>
          Start everything with <code>make up</code>, then reload this page.
        </p>
      </main>
    </ThemeScope>
  )
}
