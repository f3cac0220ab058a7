import { changeEmail, goBack, isEmail } from '@hawser/core'
import { Button, MailIcon, TextField } from '@hawser/ui'
import { type FormEvent, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'

/** Changes the user's email. */
export function UpdateEmailWalletView() {
  const texts = useLoginTexts().change
  const loginTexts = useLoginTexts()
  const hawser = useHawser()
  const { user } = useAccount()
  const [email, setEmail] = useState(user?.email ?? '')
  const [isInvalid, setInvalid] = useState(false)
  const [isPending, setPending] = useState(false)
  const isUsable = isEmail(email.trim()) && email.trim() !== user?.email

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isUsable || isPending) return
    setPending(true)
    const problem = await changeEmail(hawser, email)
    setPending(false)
    setInvalid(problem === 'invalid')
  }

  return (
    <form className="hw-stack" noValidate onSubmit={submit}>
      <TextField
        label={texts.label}
        type="email"
        inputMode="email"
        autoComplete="email"
        icon={<MailIcon />}
        value={email}
        readOnly={isPending}
        error={isInvalid ? loginTexts.invalidEmail : undefined}
        data-testid="wui-email-input"
        onChange={(event) => {
          setEmail(event.target.value)
          setInvalid(false)
        }}
      />
      <div className="hw-sign-in-actions">
        <Button wide onClick={() => goBack(hawser)}>
          {texts.cancel}
        </Button>
        <Button
          wide
          variant="primary"
          type="submit"
          loading={isPending}
          disabled={!isUsable}
          data-testid="w3m-update-email-save"
        >
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
