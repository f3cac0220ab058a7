import type { Vault } from '@hawser/vault'
import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { useAction } from '../views/useAction.ts'

const FIELD = 'email-field'

type Step =
  | { readonly kind: 'closed' }
  | { readonly kind: 'email' }
  /** A code was sent to the email of the user. */
  | { readonly kind: 'oldCode'; readonly newEmail: string }
  /** A code was sent to the new email. */
  | { readonly kind: 'newCode'; readonly newEmail: string }

/** Changes the email of the user, or adds the first one, by the codes of the mailboxes. */
export function EmailForm({
  vault,
  email,
  changed,
}: {
  readonly vault: Vault
  /** Empty without one. */
  readonly email: string
  readonly changed: () => Promise<void>
}) {
  const { identities: texts, login, cancel } = useTexts()
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const [text, setText] = useState('')
  const { error, isPending, run } = useAction()

  function proceed(next: Step) {
    setText('')
    setStep(next)
  }

  async function submit() {
    if (step.kind === 'email') {
      const action = await vault.startEmailChange(text)
      const kind = action === 'VERIFY_PRIMARY_OTP' ? 'oldCode' : 'newCode'
      proceed({ kind, newEmail: text })
    } else if (step.kind === 'oldCode') {
      await vault.verifyOldEmail(text)
      proceed({ ...step, kind: 'newCode' })
    } else {
      await vault.verifyNewEmail(text)
      proceed({ kind: 'closed' })
    }
    await changed()
  }

  if (step.kind === 'closed')
    return (
      <button type="button" onClick={() => proceed({ kind: 'email' })}>
        {email ? texts.changeEmail : texts.addEmail}
      </button>
    )
  const mailbox = step.kind === 'newCode' ? step.newEmail : email
  const label = step.kind === 'email' ? texts.newEmail : texts.codeOf(mailbox)
  const field = {
    id: FIELD,
    required: true,
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setText(currentTarget.value),
  } as const
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) run(submit)
      }}
    >
      <label for={FIELD}>
        {label}
        {step.kind === 'email' ? (
          <input {...field} type="email" autocomplete="email" />
        ) : (
          <input {...field} inputMode="numeric" autocomplete="one-time-code" />
        )}
      </label>
      {step.kind === 'email' && !email && <p class="hint">{texts.firstEmail}</p>}
      <div class="buttons">
        <button type="button" onClick={() => proceed({ kind: 'closed' })}>
          {cancel}
        </button>
        <button type="submit" class="primary" disabled={isPending || !text}>
          {login.next}
        </button>
      </div>
      <p class="notice" role="alert">
        {error}
      </p>
    </form>
  )
}
