import { goBack, verifyNewEmail, verifyOldEmail } from '@hawser/core'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { CodeEntry } from '../../parts/logins/CodeEntry.tsx'

/** The code of the old mailbox, which a change of email starts with. */
export function UpdateEmailPrimaryOtpView() {
  const hawser = useHawser()
  const { user } = useAccount()
  const newEmail = useHawserState(hawser.router, (state) => state.data?.newEmail ?? '')
  return (
    <CodeEntry email={user?.email ?? ''} verify={(otp) => verifyOldEmail(hawser, otp, newEmail)}>
      <StartAgain />
    </CodeEntry>
  )
}

/** The code of the new mailbox, which ends a change of email. */
export function UpdateEmailSecondaryOtpView() {
  const hawser = useHawser()
  const newEmail = useHawserState(hawser.router, (state) => state.data?.newEmail ?? '')
  return (
    <CodeEntry email={newEmail} verify={(otp) => verifyNewEmail(hawser, otp)}>
      <StartAgain />
    </CodeEntry>
  )
}

function StartAgain() {
  const texts = useLoginTexts().code
  const hawser = useHawser()
  return (
    <p className="hw-guide">
      {texts.trouble}
      <button type="button" className="hw-link" onClick={() => goBack(hawser)}>
        {texts.retry}
      </button>
    </p>
  )
}
