import { leaveDevice, waitForDevice } from '@hawser/core'
import { MailIcon } from '@hawser/ui'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { ResendEmail } from '../EmailVerifyOtp/EmailVerifyOtpView.tsx'

/** Waits until this device is approved by the link in the mail. */
export function EmailVerifyDeviceView() {
  const texts = useLoginTexts().device
  const hawser = useHawser()
  const email = useHawserState(hawser.router, (state) => state.data?.email ?? '')
  const words = useHawserState(hawser.router, (state) => state.data?.words)
  useEffect(() => {
    void waitForDevice(hawser, email)
    return () => leaveDevice(hawser)
  }, [hawser, email])

  return (
    <div className="hw-login">
      <span className="hw-login-mark">
        <MailIcon size={32} />
      </span>
      <div className="hw-waiting-text" role="status">
        <p>{texts.approve}</p>
        <p className="hw-login-email">
          <bdi>{email}</bdi>
        </p>
        {words && (
          <>
            <p className="hw-waiting-detail">{texts.compare}</p>
            <p className="hw-device-words" data-testid="device-words">
              {words}
            </p>
          </>
        )}
        <p className="hw-waiting-detail">{texts.expires}</p>
      </div>
      <ResendEmail email={email} label={texts.resend} />
    </div>
  )
}
