import { showToast, toastMessage } from '@hawser/core'
import { CopyButton, Qr } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useGetWalletTexts } from '../../locale/useGetWalletTexts.ts'
import { isLoopback } from '../../parts/wallets/device.ts'

/** The URL of this page as a QR code and as text, to continue on a phone. */
export function ConnectOnPhoneView() {
  const texts = useGetWalletTexts().onPhone
  const hawser = useHawser()
  const { href, host } = location
  function onCopy(result: 'copied' | 'failed') {
    if (result === 'failed') showToast(hawser, { ...toastMessage('copyFailed'), variant: 'error' })
  }
  return (
    <div className="hw-pairing">
      <Qr text={href} label={texts.qr(host)} />
      <p className="hw-lead">{texts.text}</p>
      {isLoopback() && <p className="hw-note">{texts.loopback}</p>}
      <CopyButton text={href} label={texts.copy} onCopy={onCopy} data-testid="copy-page-address">
        <bdi className="hw-address-text">{host}</bdi>
      </CopyButton>
    </div>
  )
}
