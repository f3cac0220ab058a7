import { type ReactNode, useMemo } from 'react'
import { qrShape } from './modules.ts'

export interface QrProps {
  text: string
  /** The alternative text for screen readers. */
  label: string
  /** Shown in the centre: an avatar or the logo of a wallet. */
  children?: ReactNode
}

/** A QR code as inline SVG: dark on light in every theme, because scanners expect it. */
export function Qr({ text, label, children }: QrProps) {
  const clearing = children ? 0.26 : 0
  const { size, dots, finders } = useMemo(() => qrShape(text, clearing), [text, clearing])
  return (
    <div className="hw-qr" role="img" aria-label={label} data-testid="wui-qr-code">
      <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <path d={dots} fill="currentColor" />
        {finders.map(([x, y]) => (
          <g key={`${x} ${y}`} fill="none" stroke="currentColor">
            <rect x={x + 0.5} y={y + 0.5} width="6" height="6" rx="2" strokeWidth="1" />
            <rect x={x + 2} y={y + 2} width="3" height="3" rx="1.1" fill="currentColor" stroke="none" />
          </g>
        ))}
      </svg>
      {children && <span className="hw-qr-centre">{children}</span>}
    </div>
  )
}
