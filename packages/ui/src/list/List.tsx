import type { ReactNode } from 'react'

export interface ListProps {
  /** Names the list for screen readers. */
  label: string
  children: ReactNode
  'data-testid'?: string
}

/** A list of rows. */
export function List({ label, children, ...rest }: ListProps) {
  return (
    <ul {...rest} className="hw-list" aria-label={label}>
      {children}
    </ul>
  )
}
