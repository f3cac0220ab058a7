import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** The explanation, and what to do next. */
  children?: ReactNode
  action?: ReactNode
  tone?: 'neutral' | 'error'
  'data-testid'?: string
}

/** Shown when there is no content, or when it could not be loaded. */
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
