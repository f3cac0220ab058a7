import { openWalletApp, type SelectedWallet, startBuffering } from '@hawser/core'
import { Button, ExternalIcon } from '@hawser/ui'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { CopyLink } from '../../parts/pairing/PairingCode.tsx'
import type { PairingAttempt } from '../../parts/pairing/usePairing.ts'
import { Waiting } from '../../parts/Waiting.tsx'
import { GetWalletRow } from './AppLinks.tsx'

export interface MobileLinkProps {
  pairing: PairingAttempt
  wallet: SelectedWallet
  mark: ReactNode
}

/** Opens the wallet's app on this phone with the pairing: at once if it was prepared, otherwise on a tap. */
export function MobileLink({ pairing: { uri, status, retry }, wallet, mark }: MobileLinkProps) {
  const texts = usePairingTexts()
  const hawser = useHawser()
  const isOpened = useHawserState(hawser.connection, ({ wcLinking }) => wcLinking?.name === wallet.name)
  const isReturning = useHawserState(hawser.connection, ({ buffering }) => buffering)
  const hasFailed = useHawserState(hawser.connection, ({ wcError }) => wcError)

  // A browser opens an app within the tap only, so this must not wait for anything.
  const wasPrepared = useRef(uri !== undefined)
  useLayoutEffect(() => {
    if (!wasPrepared.current) return
    wasPrepared.current = false
    openWalletApp(hawser, wallet)
  }, [hawser, wallet])

  useEffect(() => {
    if (!isOpened) return
    function onVisibilityChange() {
      if (!document.hidden) startBuffering(hawser)
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [hawser, isOpened])

  if (status === 'expired') {
    return <Waiting mark={mark} state="idle" label={texts.expired} text={texts.expiredText} onRetry={retry} />
  }
  return (
    <div className="hw-pairing">
      <Waiting
        mark={mark}
        state={isOpened && !hasFailed ? 'active' : 'idle'}
        label={isReturning ? texts.returned : texts.opened(wallet.name)}
        text={hasFailed ? texts.linkFailed : isOpened ? texts.openedText : texts.linkText}
        help={texts.linkHelp}
        action={
          <Button
            variant="primary"
            icon={<ExternalIcon size={18} />}
            loading={uri === undefined}
            data-testid="w3m-connecting-widget-secondary-button"
            onClick={() => openWalletApp(hawser, wallet)}
          >
            {texts.open(wallet.name)}
          </Button>
        }
      />
      <CopyLink uri={uri} />
      <GetWalletRow wallet={wallet} />
    </div>
  )
}
