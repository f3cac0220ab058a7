import { replaceView, stopRegistration } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Avatar, Button, Ring } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNamesTexts } from '../../locale/useNamesTexts.ts'
import { StatementPreview } from '../../parts/signing/StatementPreview.tsx'

/** The progress of a registration: signing, registering, registered. */
export function RegisterAccountNameSuccessView() {
  const texts = useNamesTexts()
  const hawser = useHawser()
  const { address, profileImage } = useAccount()
  const { status, name = '', signing } = useHawserState(hawser.names, (state) => state)
  const isLost = status === 'draft'

  useEffect(() => {
    const isShown = hawser.router.getState().view === 'RegisterAccountNameSuccess'
    if (isLost && isShown) replaceView(hawser, 'RegisterAccountName')
  }, [hawser, isLost])
  if (isLost || !address) return null

  const isDone = status === 'registered'
  return (
    <div className="hw-waiting hw-names-outcome" data-state={isDone ? 'success' : 'active'}>
      <Ring state={isDone ? 'success' : 'active'} shape="circle">
        <Avatar seed={address} src={profileImage} size={80} />
      </Ring>
      <p
        className="hw-names-name"
        data-length={name.length > 24 ? 'long' : 'short'}
        data-testid="registered-name"
      >
        {name}
      </p>
      <div className="hw-waiting-text" role="status">
        <p className="hw-waiting-label">{texts[status].label}</p>
        <p className="hw-waiting-detail">{textOf(texts[status], name)}</p>
      </div>
      {status === 'signing' && <StatementPreview signing={signing} />}
      {status === 'signing' && (
        <Button
          variant="quiet"
          size="small"
          data-testid="name-stop-button"
          onClick={() => stopRegistration(hawser)}
        >
          {texts.signing.stop}
        </Button>
      )}
      <Button
        variant="primary"
        wide
        disabled={!isDone}
        data-testid="name-go-button"
        onClick={() => replaceView(hawser, 'Account')}
      >
        {texts.registered.go}
      </Button>
    </div>
  )
}

function textOf({ text }: Texts['names']['signing' | 'registering' | 'registered'], name: string): string {
  return typeof text === 'string' ? text : text(name)
}
