import type { ReactNode } from 'react'

export interface ListProps {
  /** Names the list for screen readers. */
  label: string
  /** `cards`: a few big choices. `plain`: many rows, or rows to read. */
  appearance?: 'cards' | 'plain'
  children: ReactNode
  'data-testid'?: string
}

/** A list of rows. */
export function List({ label, appearance = 'cards', children, ...rest }: ListProps) {
  return (
    <ul {...rest} className="hw-list" data-appearance={appearance} aria-label={label}>
      {children}
    </ul>
  )
}
