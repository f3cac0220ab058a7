import { createPasskey, hasPasskeys, readPasskey, type Secret, type Sheet } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { SheetFrame } from './SheetFrame.tsx'
import { useAction } from './useAction.ts'

/** Requests one of the factors of a wallet. */
export function UnlockSheet({
  sheet: { factors, submit, reject },
}: {
  readonly sheet: Extract<Sheet, { kind: 'unlock' }>
}) {
  const texts = useTexts().secret
  const { error, isPending, run } = useAction()
  const passkeys = factors.flatMap(({ credentialId }) => (credentialId ? [credentialId] : []))
  const password = factors.find(({ kind }) => kind === 'password')

  async function submitPasskey() {
    const secret = await readPasskey(passkeys)
    const factor = factors.find(({ credentialId }) => credentialId === secret.credentialId)
    if (factor) await submit(factor.id, secret)
  }

  return (
    <SheetFrame title={texts.open} cancel={reject} footer={<Failure error={error} />}>
      <p class="hint">{texts.notOpened}</p>
      {passkeys.length > 0 && (
        <button type="button" class="primary" disabled={isPending} onClick={() => run(submitPasskey)}>
          {texts.usePasskey}
        </button>
      )}
      {password && (
        <PasswordForm
          label={texts.openByPassword}
          isPending={isPending}
          submit={(text) => run(() => submit(password.id, { kind: 'password', password: text }))}
        />
      )}
    </SheetFrame>
  )
}

/** Requests a passkey or a password for a new wallet, where the browser does not keep its keys. */
export function SecureSheet({
  sheet: { user, submit, reject },
}: {
  readonly sheet: Extract<Sheet, { kind: 'secure' }>
}) {
  const texts = useTexts().secret
  const { error, isPending, run } = useAction()
  const submitPasskey = async () => submit(await createPasskey(user.id, user.email || user.userName))
  const submitPassword = (password: string) =>
    run(() => submit({ kind: 'password', password } satisfies Secret))

  return (
    <SheetFrame title={texts.secure} cancel={reject} footer={<Failure error={error} />}>
      <p class="hint">{texts.choose}</p>
      {hasPasskeys() && (
        <button type="button" class="primary" disabled={isPending} onClick={() => run(submitPasskey)}>
          {texts.createPasskey}
        </button>
      )}
      <PasswordForm isNew label={texts.usePassword} isPending={isPending} submit={submitPassword} />
    </SheetFrame>
  )
}

function Failure({ error }: { readonly error: string }) {
  return (
    <p class="notice" role="alert">
      {error}
    </p>
  )
}
