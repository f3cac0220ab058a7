import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'

/** Minimum length of a password. An attacker who has the server could guess a shorter one. */
const MIN_LENGTH = 12

interface Props {
  readonly label: string
  /** Requires a long password, twice. */
  readonly isNew?: boolean
  readonly isPending: boolean
  readonly submit: (password: string) => void
}

/** A password, typed twice for a new one. */
export function PasswordForm({ label, isNew = false, isPending, submit }: Props) {
  const texts = useTexts().secret
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const isReady = isNew ? password.length >= MIN_LENGTH && password === repeated : password.length > 0
  return (
    // Forms of the frame are handled by its script: its policy forbids submitting them.
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isPending) submit(password)
      }}
    >
      <label>
        {texts.password}
        <input
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </label>
      {isNew && (
        <label>
          {texts.repeat}
          <input
            type="password"
            autocomplete="new-password"
            value={repeated}
            onInput={({ currentTarget }) => setRepeated(currentTarget.value)}
          />
        </label>
      )}
      {isNew && <p class="hint">{texts.length(MIN_LENGTH)}</p>}
      <button type="submit" disabled={!isReady || isPending}>
        {label}
      </button>
    </form>
  )
}
