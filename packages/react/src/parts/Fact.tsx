import type { ReactNode } from 'react'

/** One line of a list of facts (`dl.hw-details`). */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
