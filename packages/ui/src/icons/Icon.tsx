import type { ReactNode } from 'react'

export interface IconProps {
  /** CSS pixels. */
  size?: number
}

interface FrameProps extends IconProps {
  /** `inline` mirrors the icon where text runs from right to left. */
  direction?: 'inline'
  children: ReactNode
}

/** An icon on a 24 px grid in the text colour. Decorative: its control has an accessible name. */
export function Icon({ size = 20, direction, children }: FrameProps) {
  return (
    <svg
      className="hw-icon"
      data-direction={direction}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
