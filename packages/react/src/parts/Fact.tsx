import type { ReactNode } from 'react'

export interface FactProps {
  name: string
  children: ReactNode
  'data-testid'?: string
}

/** One line of a list of facts (`dl.hw-details`). */
export function Fact({ name, children, ...rest }: FactProps) {
  return (
    <div {...rest}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
