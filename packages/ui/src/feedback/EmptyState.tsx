import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** Why there is nothing, and what to do about it. */
  children?: ReactNode
  action?: ReactNode
  tone?: 'neutral' | 'error'
  'data-testid'?: string
}

/** Says plainly that there is nothing to show, or that showing it failed. */
export function EmptyState({ icon, title, children, action, tone = 'neutral', ...rest }: EmptyStateProps) {
  return (
    <div {...rest} className="hw-empty" data-tone={tone}>
      <span className="hw-empty-icon">{icon}</span>
      <p className="hw-empty-title">{title}</p>
      {children && <p className="hw-empty-text">{children}</p>}
      {action}
    </div>
  )
}
