import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'

interface Props {
  readonly label: string
  readonly isPending: boolean
  readonly submit: (kit: string, password: string) => void
}

/** A recovery kit: a file, and the password that opens it. */
export function RecoveryKitForm({ label, isPending, submit }: Props) {
  const { backup } = useTexts()
  const [kit, setKit] = useState('')
  return (
    <>
      <label>
        {backup.kit}
        <input
          type="file"
          accept="application/json"
          onChange={async ({ currentTarget }) => setKit((await currentTarget.files?.[0]?.text()) ?? '')}
        />
      </label>
      {kit && (
        <PasswordForm label={label} isPending={isPending} submit={(password) => submit(kit, password)} />
      )}
    </>
  )
}
