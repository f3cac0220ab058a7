import { loginMessage } from '@hawser/core'
import { readDigits } from '@hawser/texts/format/typedDecimal'
import { CodeField, Spinner } from '@hawser/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMessages } from '../../locale/textsOf.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { LoginApproval } from './FrameOverCard.tsx'

const DIGITS = 6

export interface CodeEntryProps {
  /** The address that the code was sent to. */
  email: string
  /** Verifies six digits; rejects with an Error whose message is shown. */
  verify: (otp: string) => Promise<void>
  /** How to get another code. */
  children: ReactNode
}

/** The entry of a code that was sent by email. It is verified with its sixth digit. */
export function CodeEntry({ email, verify, children }: CodeEntryProps) {
  const texts = useLoginTexts().code
  const messages = useMessages()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  async function change(typed: string) {
    const value = readDigits(typed)
    setCode(value)
    setError(undefined)
    if (value.length < DIGITS || isPending) return
    setPending(true)
    try {
      await verify(value)
    } catch (cause) {
      // The sentence goes on with a stop of its own.
      setError(texts.wrong(messages(loginMessage(cause)).replace(/[.。]$/, '')))
      setCode('')
      input.current?.focus()
    }
    setPending(false)
  }

  return (
    <div className="hw-login">
      <div className="hw-waiting-text">
        <p>{texts.sentTo}</p>
        <p className="hw-login-email">
          <bdi>{email}</bdi>
        </p>
        <p className="hw-waiting-detail">{texts.expires}</p>
      </div>
      <CodeField
        label={texts.label}
        length={DIGITS}
        value={code}
        disabled={isPending}
        error={error}
        inputRef={input}
        data-testid="wui-otp-input"
        onChange={(value) => void change(value)}
      />
      <div className="hw-login-status" role="status">
        {isPending && (
          <>
            <Spinner size={22} />
            <span className="hw-visually-hidden">{texts.verifying}</span>
          </>
        )}
        {error && (
          <p className="hw-field-error" data-testid="otp-error">
            {error}
          </p>
        )}
      </div>
      {children}
      <LoginApproval />
    </div>
  )
}
