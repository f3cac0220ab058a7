import type { ReactNode } from 'react'

/** A state with a dot in its colour. */
export function State({
  tone,
  children,
}: {
  tone: 'success' | 'warning' | 'error' | 'neutral'
  children: ReactNode
}) {
  return (
    <span className="state" data-tone={tone}>
      {children}
    </span>
  )
}
