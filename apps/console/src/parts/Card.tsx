import { type ReactNode, useId } from 'react'

export interface CardProps {
  title: string
  hint?: ReactNode
  /** Beside the title. */
  end?: ReactNode
  /** `danger`: what cannot be undone. */
  tone?: 'neutral' | 'danger'
  /** Whether the title is for screen readers only, where that of the screen says it already. */
  hideTitle?: boolean
  /** Whether its content reaches the edges, as a table does. */
  flush?: boolean
  children: ReactNode
  'data-testid'?: string
}

/** One part of a screen, with a title. */
export function Card({ title, hint, end, tone = 'neutral', hideTitle, flush, children, ...rest }: CardProps) {
  const id = useId()
  return (
    <section {...rest} className="card" data-tone={tone} data-flush={flush || undefined} aria-labelledby={id}>
      {hideTitle ? (
        <h2 id={id} className="hw-visually-hidden">
          {title}
        </h2>
      ) : (
        <header className="card-header">
          <div>
            <h2 id={id}>{title}</h2>
            {hint && <p>{hint}</p>}
          </div>
          {end}
        </header>
      )}
      {children}
    </section>
  )
}
