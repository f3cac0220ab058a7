import type { Vault } from '@hawser/vault'
import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { useAction } from '../views/useAction.ts'

const FIELD = 'login-field'

type Step =
  | { readonly kind: 'email' }
  | { readonly kind: 'device'; readonly words: string }
  | { readonly kind: 'code' }

/** Signs in by email, on a page that has no session of its own. */
export function LoginForm({
  vault,
  signedIn,
}: {
  readonly vault: Vault
  readonly signedIn: () => Promise<void>
}) {
  const texts = useTexts().login
  const [step, setStep] = useState<Step>({ kind: 'email' })
  const [text, setText] = useState('')
  const { error, isPending, run } = useAction()

  async function submitEmail() {
    const { action, words = '' } = await vault.startEmail(text)
    setText('')
    if (action === 'CONNECT') return signedIn()
    if (action === 'VERIFY_DEVICE') {
      setStep({ kind: 'device', words })
      await vault.waitForDevice()
    }
    setStep({ kind: 'code' })
  }

  async function submitCode() {
    await vault.verifyCode(text)
    await signedIn()
  }

  if (step.kind === 'device')
    return (
      <>
        <p role="status">{texts.approve}</p>
        <p class="words">
          <bdi lang="en">{step.words}</bdi>
        </p>
        <p class="notice" role="alert">
          {error}
        </p>
      </>
    )
  const isCode = step.kind === 'code'
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
        if (!isPending) run(isCode ? submitCode : submitEmail)
      }}
    >
      <label for={FIELD}>
        {isCode ? texts.code : texts.email}
        {isCode ? (
          <input {...field} inputMode="numeric" autocomplete="one-time-code" />
        ) : (
          <input {...field} type="email" autocomplete="email" />
        )}
      </label>
      <button type="submit" class="primary" disabled={isPending || !text}>
        {isCode ? texts.signIn : texts.next}
      </button>
      <p class="notice" role="alert">
        {error}
      </p>
    </form>
  )
}
