import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'

export interface PageProps {
  title: string
  lead?: ReactNode
  /** Above the title: the way back. */
  back?: { label: string; href: string }
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen. Its title is that of the document, and has the focus when the screen is opened. */
export function Page({ title, lead, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${texts.title}`
    return () => {
      document.title = texts.title
    }
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <div className="page">
      <header className="page-header">
        <div className="page-heading">
          {back && (
            <a className="back" href={back.href}>
              {back.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
