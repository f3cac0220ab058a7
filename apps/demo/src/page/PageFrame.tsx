import { ConnectButton, NetworkButton, useTheme } from '@hawser/react'
import { ThemeScope } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useLab } from '../lab/LabContext.ts'
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
        <header className="bar" data-networks={networks || undefined}>
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
      <a href="/docs/">Docs</a>
      <a href={`${config.gatewayUrl}/docs`}>API</a>
      <a href="/lab">Lab</a>
    </>
  )
}

/** The logo: a rope between two posts. */
function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="mark-posts" d="M10 26V6M22 26V6" />
      <path className="mark-rope" d="M3.5 18c3-5.5 7-5.5 12.5-2s9.5 3.5 12.5-2" />
    </svg>
  )
}
