import type { DeepLink } from '@hawser/core'
import { Qr } from '@hawser/ui'
import { useEffect, useRef } from 'react'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { CopyLink } from './PairingCode.tsx'

/** Asks the visitor to open the page of a wallet again, which does not answer a request. It is shown in place of the view. */
export function SilentWallet({ wallet: { href, name } }: { wallet: DeepLink }) {
  const texts = usePairingTexts()
  const { again, againText, againQr } = texts.handoff
  const shown = name || texts.anyWallet
  const label = useRef<HTMLParagraphElement>(null)
  // What was focused is in the view, which is hidden.
  useEffect(() => label.current?.focus({ preventScroll: true }), [])
  return (
    <div className="hw-view hw-pairing" data-testid="silent-wallet">
      <div className="hw-waiting-text" role="status">
        <p ref={label} className="hw-waiting-label" tabIndex={-1}>
          {again(shown)}
        </p>
        <p className="hw-waiting-detail">{againText}</p>
      </div>
      <Qr text={href} label={againQr(shown)} />
      <CopyLink uri={href} />
    </div>
  )
}
