import { goBack, pushView, requestCloseModal } from '@hawser/core'
import { BackIcon, CloseIcon, HelpIcon, IconButton, SettingsIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useTexts } from '../locale/useTexts.ts'
import { NetworkPicker } from './NetworkPicker.tsx'
import { useTitle } from './titles.ts'

export interface HeaderProps {
  titleId: string
}

/** The header of the modal: back or help at the start, the title, settings and close at the end. */
export function Header({ titleId }: HeaderProps) {
  const texts = useTexts()
  const hawser = useHawser()
  const router = useHawserState(hawser.router, (state) => state)
  const title = useTitle(router)
  const untitled = router.view === 'Account'
  return (
    <div className="hw-header" data-untitled={untitled || undefined}>
      <div className="hw-header-start">
        <HeaderStart />
      </div>
      <h2
        key={title}
        id={titleId}
        ref={markInitialFocus}
        className={untitled ? 'hw-visually-hidden' : 'hw-header-title'}
        data-testid="w3m-header-text"
        title={untitled ? undefined : title}
        tabIndex={-1}
      >
        {title}
      </h2>
      <div className="hw-header-end">
        {router.view === 'Account' && (
          <IconButton
            label={texts.account.settings}
            data-testid="account-settings-button"
            onClick={() => pushView(hawser, 'Profile')}
          >
            <SettingsIcon />
          </IconButton>
        )}
        <IconButton
          label={texts.close}
          data-testid="w3m-header-close"
          onClick={() => requestCloseModal(hawser)}
        >
          <CloseIcon />
        </IconButton>
      </div>
    </div>
  )
}

/**
 * Marks the title for the dialog's initial focus. A screen reader then starts with the title, and no button
 * shows a focus ring.
 */
function markInitialFocus(title: HTMLElement | null) {
  title?.setAttribute('autofocus', '')
}

function HeaderStart() {
  const texts = useTexts()
  const hawser = useHawser()
  const view = useHawserState(hawser.router, (state) => state.view)
  const hasHistory = useHawserState(hawser.router, (state) => state.history.length > 1)
  const buffering = useHawserState(hawser.connection, (state) => state.buffering)

  if (view === 'Account') return <NetworkPicker />
  // A sign-in and a request have buttons of their own to leave them.
  if (view === 'ConnectingSiwe' || view === 'ApproveTransaction') return null
  if (hasHistory) {
    return (
      <IconButton
        label={texts.back}
        data-testid="header-back"
        disabled={buffering}
        onClick={() => goBack(hawser)}
      >
        <BackIcon />
      </IconButton>
    )
  }
  if (view !== 'Connect') return null

  function openHelp() {
    hawser.events.emit({ event: 'CLICK_WALLET_HELP' })
    pushView(hawser, 'WhatIsAWallet')
  }
  return (
    <IconButton label={texts.connect.help} data-testid="w3m-header-help" onClick={openHelp}>
      <HelpIcon />
    </IconButton>
  )
}
