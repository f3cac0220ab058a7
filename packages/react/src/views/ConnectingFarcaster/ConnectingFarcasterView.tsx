import { isPhone, leaveFarcaster, loginWithFarcaster } from '@hawser/core'
import { ExternalIcon, Qr, Skeleton } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { LoginApproval } from '../../parts/logins/FrameOverCard.tsx'
import { SocialMark } from '../../parts/logins/SocialMark.tsx'
import { Waiting } from '../../parts/Waiting.tsx'

/** Waits for an approval in the Farcaster app: on this phone, or on one that scans the code. */
export function ConnectingFarcasterView() {
  const hawser = useHawser()
  const [isRetrieving, setRetrieving] = useState(false)
  useEffect(() => {
    void loginWithFarcaster(hawser, { retrieving: () => setRetrieving(true) })
    return () => leaveFarcaster(hawser)
  }, [hawser])
  return (
    <>
      <Progress isRetrieving={isRetrieving} />
      <LoginApproval />
    </>
  )
}

function Progress({ isRetrieving }: { isRetrieving: boolean }) {
  const texts = useLoginTexts().farcaster
  const { farcasterUrl } = useAccount()
  const mark = (
    <span className="hw-login-mark">
      <SocialMark social="farcaster" size={40} />
    </span>
  )
  if (isRetrieving)
    return <Waiting mark={mark} state="active" label={texts.loading} text={texts.loadingText} />
  if (isPhone()) {
    return (
      <Waiting
        mark={mark}
        state="active"
        label={texts.continue}
        text={texts.accept}
        action={
          farcasterUrl && (
            <a
              className="hw-button"
              data-size="medium"
              href={farcasterUrl}
              target="_blank"
              rel="noopener noreferrer"
            >
              <ExternalIcon size={18} />
              <span className="hw-button-label">{texts.open}</span>
            </a>
          )
        }
      />
    )
  }
  return (
    <div className="hw-pairing">
      {farcasterUrl ? (
        <Qr text={farcasterUrl} label={texts.qr}>
          <SocialMark social="farcaster" size={44} />
        </Qr>
      ) : (
        <div className="hw-pairing-skeleton" role="status">
          <span className="hw-visually-hidden">{texts.preparing}</span>
          <Skeleton width={264} height={264} shape="row" />
        </div>
      )}
      <p className="hw-lead">{texts.scan}</p>
    </div>
  )
}
