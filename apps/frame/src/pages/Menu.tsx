import type { ComponentChildren } from 'preact'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { Icon, type IconName } from './Icon.tsx'

/** A list of rows that lead on. */
export function Menu({ children }: { readonly children: ComponentChildren }) {
  return <ul class="menu">{children}</ul>
}

interface Props {
  readonly icon: IconName
  readonly title: string
  readonly text?: string
  readonly tone?: 'caution' | 'danger'
  /** What is shown at the end in the place of an arrow. */
  readonly end?: ComponentChildren
  /** Whether the row itself acts, under a guard; else it shows a screen. */
  readonly acts?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A row with an icon, a title and a text below it. */
export function MenuRow({ icon, title, text, tone, end, acts = false, disabled = false, onClick }: Props) {
  const content = (
    <>
      <span class="tile">
        <Icon name={icon} />
      </span>
      <span class="row-text">
        <span>{title}</span>
        {text && <span class="name">{text}</span>}
      </span>
      <span class="row-end">{end ?? <Icon name="next" />}</span>
    </>
  )
  return (
    <li data-tone={tone}>
      {acts ? (
        <GuardedButton class="row" disabled={disabled} onClick={onClick}>
          {content}
        </GuardedButton>
      ) : (
        <button type="button" class="row" disabled={disabled} onClick={onClick}>
          {content}
        </button>
      )}
    </li>
  )
}
