import { ConnectButton, NetworkButton, useTheme } from '@hawser/react'
import { ThemeScope } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useLab } from '../lab/LabContext.ts'
import { Mark } from './Mark.tsx'
import { useDocumentTheme } from './useDocumentTheme.ts'

export interface PageFrameProps {
  /** Shows the network button beside the connect button. */
  networks?: boolean
  children: ReactNode
}

/** The frame of every page: the bar, the theme and the footer. */
export function PageFrame({ networks = false, children }: PageFrameProps) {
  const { themeMode, themeVariables } = useTheme()
  useDocumentTheme()
  return (
    <ThemeScope mode={themeMode} vars={themeVariables}>
      <div className="page">
        <header className="bar">
          <a className="brand" href="/" aria-label="Hawser, home">
            <Mark />
            <span>Hawser</span>
          </a>
          <nav className="bar-links" aria-label="Pages">
            <PageLinks />
          </nav>
          <div className="bar-buttons">
            {networks && <NetworkButton />}
            <ConnectButton />
          </div>
        </header>
        <main>{children}</main>
        <footer className="foot">
          <span>Hawser is open source under Apache-2.0.</span>
          <nav aria-label="Pages, at the foot">
            <PageLinks />
          </nav>
        </footer>
      </div>
    </ThemeScope>
  )
}

function PageLinks() {
  const { config } = useLab()
  return (
    <>
      <a href="/guide">Guide</a>
      <a href={`${config.gatewayUrl}/docs`}>API</a>
      <a href="/lab">Lab</a>
    </>
  )
}
