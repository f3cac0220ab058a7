import { type ReactNode, useId } from 'react'

export interface PanelProps {
  title: string
  /** One sentence about what can be tried. */
  hint: string
  /** Shown beside the title. */
  end?: ReactNode
  /** Spans two columns on wide screens. */
  wide?: boolean
  children: ReactNode
}

/** One part of the lab. */
export function Panel({ title, hint, end, wide, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" data-wide={wide || undefined} aria-labelledby={id}>
      <header className="panel-header">
        <div>
          <h2 id={id}>{title}</h2>
          <p>{hint}</p>
        </div>
        {end}
      </header>
      {children}
    </section>
  )
}
