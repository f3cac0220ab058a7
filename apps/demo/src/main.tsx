import '@hawser/react/styles.css'
import '@hawser/ui/styles.css'
import './page/page.css'
import { HawserProvider } from '@hawser/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadConfig } from './lab/config.ts'
import { createLab } from './lab/createLab.ts'
import { readFlags } from './lab/flags.ts'
import { LabContext } from './lab/LabContext.ts'
import { Page } from './page/Page.tsx'
import { StartFailure } from './page/StartFailure.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no root element')
const root = createRoot(container)

try {
  const flags = readFlags(location.search)
  document.documentElement.dir = flags.direction
  const lab = createLab(await loadConfig(), flags)
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
  console.error('The lab could not start', error)
  root.render(<StartFailure message={error instanceof Error ? error.message : String(error)} />)
}
