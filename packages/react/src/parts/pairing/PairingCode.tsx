import { type SelectedWallet, showToast, toastMessage } from '@hawser/core'
import { AssetIcon, Button, CopyButton, Qr, RetryIcon, Skeleton } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import type { PairingAttempt } from './usePairing.ts'

export interface PairingCodeProps {
  pairing: PairingAttempt
  /** The wallet that was selected; its logo is in the middle of the code. */
  wallet?: SelectedWallet | undefined
  /** What the code says; the URI of the pairing by default. */
  text?: string | undefined
  /** How to scan the code. */
  guide?: string
  /** Shown below the guide. */
  detail?: string
}

/** The QR code of a pairing, with a button that copies its link; a placeholder of the same size until the pairing exists. */
export function PairingCode({ pairing, wallet, text, guide, detail }: PairingCodeProps) {
  const { uri, status, isSlow, retry } = pairing
  const texts = usePairingTexts()
  if (status === 'expired') return <ExpiredCode onRetry={retry} />
  if (!uri && isSlow) return <UnreachableRelay onRetry={retry} />
  return (
    <>
      {uri ? (
        <Qr text={text ?? uri} label={texts.qr(wallet?.name ?? texts.anyWallet)}>
          {wallet && <AssetIcon name={wallet.name} src={wallet.imageUrl} size={52} shape="square" />}
        </Qr>
      ) : (
        <div className="hw-pairing-skeleton" role="status" aria-label={texts.preparing}>
          <Skeleton width={264} height={264} shape="row" />
        </div>
      )}
      <div>
        <p className="hw-lead">
          {uri ? (guide ?? (wallet ? texts.scanIn(wallet.name) : texts.scan)) : texts.preparing}
        </p>
        {uri && detail && <p className="hw-note">{detail}</p>}
      </div>
      <CopyLink uri={uri} />
    </>
  )
}

/** Shown while the code cannot be prepared; the attempt goes on. */
function UnreachableRelay({ onRetry }: { onRetry: () => void }) {
  const texts = useTexts()
  return (
    <div className="hw-pairing-expired" role="status" data-testid="pairing-unreachable">
      <p className="hw-waiting-label">{texts.account.errorText}</p>
      <Button icon={<RetryIcon size={18} />} onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}

function ExpiredCode({ onRetry }: { onRetry: () => void }) {
  const texts = usePairingTexts()
  return (
    <div className="hw-pairing-expired" role="status">
      <p className="hw-waiting-label">{texts.expired}</p>
      <p className="hw-waiting-detail">{texts.expiredText}</p>
      <Button icon={<RetryIcon size={18} />} data-testid="pairing-renew" onClick={onRetry}>
        {texts.newCode}
      </Button>
    </div>
  )
}

/** Copies the URI of a pairing, to paste it into a wallet. */
export function CopyLink({ uri }: { uri: string | undefined }) {
  const texts = usePairingTexts()
  const hawser = useHawser()
  if (!uri) return <span className="hw-pairing-copy" aria-hidden="true" />
  function onCopy(result: 'copied' | 'failed') {
    if (result === 'copied') showToast(hawser, { ...toastMessage('linkCopied'), variant: 'success' })
    else showToast(hawser, { ...toastMessage('copyFailed'), variant: 'error' })
  }
  return (
    <CopyButton
      text={uri}
      label={texts.copy}
      className="hw-pairing-copy"
      onCopy={onCopy}
      data-testid="copy-wc2-uri"
    >
      <span aria-hidden="true">{texts.copy}</span>
    </CopyButton>
  )
}
