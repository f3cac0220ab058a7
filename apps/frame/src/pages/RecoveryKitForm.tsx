import { useState } from 'preact/hooks'
import { PasswordForm } from '../views/PasswordForm.tsx'

interface Props {
  readonly label: string
  readonly isPending: boolean
  readonly submit: (kit: string, password: string) => void
}

/** A recovery kit: a file, and the password that opens it. */
export function RecoveryKitForm({ label, isPending, submit }: Props) {
  const [kit, setKit] = useState('')
  return (
    <>
      <label>
        Recovery kit
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
