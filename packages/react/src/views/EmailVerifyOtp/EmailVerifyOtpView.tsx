import { resendEmail, verifyEmailCode } from '@hawser/core'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { CodeEntry } from '../../parts/logins/CodeEntry.tsx'
import { useCooldown } from '../../parts/logins/useCooldown.ts'

/** The code that completes a login by email. */
export function EmailVerifyOtpView() {
  const texts = useLoginTexts().code
  const hawser = useHawser()
  const email = useHawserState(hawser.router, (state) => state.data?.email ?? '')
  return (
    <CodeEntry email={email} verify={(otp) => verifyEmailCode(hawser, otp)}>
      <ResendEmail email={email} label={texts.resend} />
    </CodeEntry>
  )
}

/** Sends the mail again, once its cooldown has passed. */
export function ResendEmail({ email, label }: { email: string; label: string }) {
  const texts = useLoginTexts().code
  const hawser = useHawser()
  const seconds = useCooldown()
  const [isPending, setPending] = useState(false)

  async function resend() {
    setPending(true)
    await resendEmail(hawser, email)
    setPending(false)
  }

  return (
    <p className="hw-guide">
      {texts.question}
      <button
        type="button"
        className="hw-link"
        disabled={seconds > 0 || isPending}
        data-testid="email-resend"
        onClick={resend}
      >
        {seconds > 0 ? texts.resendIn(seconds) : label}
      </button>
    </p>
  )
}
