import type { ReactNode } from 'react'

export interface ListItemProps {
  title: string
  subtitle?: ReactNode
  icon?: ReactNode
  /** Shown at the end: a tag, an amount, a check mark. */
  end?: ReactNode
  disabled?: boolean
  /** Marks the selected row of a list. */
  current?: boolean
  tone?: 'neutral' | 'danger'
  busy?: boolean
  /** With it the row is a button, or a link when it is an address. */
  onSelect?: () => void
  /** A web address opens in a new tab, and a link of an app from this one. */
  href?: string
  /** Lets the page of `href` reach this one, as the wallet's own pages do to use its frame. */
  keepsOpener?: boolean
  'data-testid'?: string
}

/** Matches a link of an app. A new tab for it would stay open, empty. */
const appScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i

/** One row of a list: icon, title, subtitle and end. Long titles are truncated, with the whole text in the tooltip. */
export function ListItem(props: ListItemProps) {
  const {
    title,
    subtitle,
    icon,
    end,
    disabled,
    current,
    tone = 'neutral',
    busy,
    onSelect,
    href,
    keepsOpener,
  } = props
  const content = (
    <>
      {icon && <span className="hw-row-icon">{icon}</span>}
      <span className="hw-row-text">
        <span className="hw-row-title" title={title} dir="auto">
          {title}
        </span>
        {subtitle && <span className="hw-row-subtitle">{subtitle}</span>}
      </span>
      {end && <span className="hw-row-end">{end}</span>}
    </>
  )
  return (
    <li className="hw-list-item">
      {href ? (
        <a
          className="hw-row"
          data-tone={tone}
          href={href}
          target={appScheme.test(href) ? '_top' : '_blank'}
          rel={keepsOpener ? 'opener' : 'noopener noreferrer'}
          data-testid={props['data-testid']}
        >
          {content}
        </a>
      ) : onSelect ? (
        <button
          type="button"
          className="hw-row"
          data-tone={tone}
          data-testid={props['data-testid']}
          disabled={disabled}
          aria-current={current || undefined}
          aria-busy={busy || undefined}
          onClick={busy ? undefined : onSelect}
        >
          {content}
        </button>
      ) : (
        <div className="hw-row" data-tone={tone} data-testid={props['data-testid']}>
          {content}
        </div>
      )}
    </li>
  )
}
