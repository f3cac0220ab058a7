import { CloseIcon, DisconnectIcon, IconButton } from '@hawser/ui'
import { useEffect, useRef } from 'react'
import { useConsole } from '../api/ApiContext.ts'
import { may } from '../api/roles.ts'
import { Severity } from '../gen/hawser/admin/v1/health_pb.ts'
import { texts } from '../texts.ts'
import { useHealth } from './HealthContext.ts'
import { Mark } from './Mark.tsx'
import { hrefOf } from './route.ts'
import { type Screen, screens } from './screens.tsx'

export interface NavigationProps {
  /** The first segment of the route. */
  current: string
  /** Whether it is a drawer over the page, as on a phone. */
  isDrawer: boolean
  isOpen: boolean
  onClose: () => void
}

/** The navigation beside the screens. On a phone it is a dialog that slides over them. */
export function Navigation({ current, isDrawer, isOpen, onClose }: NavigationProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (isDrawer && isOpen && !element.open) element.showModal()
    if (!isOpen && element.open) element.close()
  }, [isDrawer, isOpen])

  if (!isDrawer) {
    return (
      <aside className="side" aria-label={texts.shell.menu}>
        <Content current={current} onNavigate={() => undefined} />
      </aside>
    )
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className="drawer"
      aria-label={texts.shell.menu}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="side">
        <div className="drawer-close">
          <IconButton label={texts.shell.closeMenu} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        <Content current={current} onNavigate={onClose} />
      </div>
    </dialog>
  )
}

function Content({ current, onNavigate }: { current: string; onNavigate: () => void }) {
  const { me, signOut } = useConsole()
  const role = me.operator?.role
  const shown = screens.filter((screen) => may(role, screen.role))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <>
      <a className="brand" href={hrefOf()} aria-label={texts.shell.home} onClick={onNavigate}>
        <Mark />
        <span>Hawser</span>
      </a>
      <nav aria-label={texts.shell.navigation}>
        {groups.map((group) => (
          <div key={group} className="nav-group">
            <p id={`group-${group}`}>{texts.groups[group]}</p>
            <ul aria-labelledby={`group-${group}`}>
              {shown
                .filter((screen) => screen.group === group)
                .map((screen) => (
                  <Entry
                    key={screen.path}
                    screen={screen}
                    isCurrent={screen.path === current}
                    onNavigate={onNavigate}
                  />
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <footer className="side-foot">
        <p>
          <span className="hw-visually-hidden">{texts.shell.signedInAs} </span>
          <strong title={me.operator?.name}>{me.operator?.name}</strong>
          <span>
            {texts.roles[role ?? 0]} · {texts.shell.version(me.version)}
          </span>
        </p>
        <IconButton label={texts.shell.signOut} onClick={() => void signOut()} data-testid="sign-out">
          <DisconnectIcon />
        </IconButton>
      </footer>
    </>
  )
}

interface EntryProps {
  screen: Screen
  isCurrent: boolean
  onNavigate: () => void
}

function Entry({ screen: { path, title, icon: Icon }, isCurrent, onNavigate }: EntryProps) {
  const { health } = useHealth()
  const problems = path === '' ? (health?.problems ?? []) : []
  return (
    <li>
      <a
        className="nav-link"
        href={path ? hrefOf(path) : hrefOf()}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onNavigate}
      >
        <Icon size={18} />
        <span>{title}</span>
        {problems.length > 0 && (
          <span
            className="badge"
            data-tone={problems.some(({ severity }) => severity === Severity.ERROR) ? 'error' : 'warning'}
          >
            <span aria-hidden="true">{problems.length}</span>
            <span className="hw-visually-hidden">{texts.overview.problems(problems.length)}</span>
          </span>
        )}
      </a>
    </li>
  )
}
