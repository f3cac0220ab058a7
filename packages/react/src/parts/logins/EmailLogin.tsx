import { type EmailProblem, loginWithEmail } from '@hawser/core'
import { Button, ChevronRightIcon, IconButton, MailIcon, RetryIcon, Spinner, TextField } from '@hawser/ui'
import { type FormEvent, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useLegalBlock } from '../Legal.tsx'
import { LoginApproval } from './FrameOverCard.tsx'

/** Letters after which the button that sends the email is shown. */
const MOST_LETTERS_WITHOUT_BUTTON = 3

/** The field that a login by email starts with. */
export function EmailLogin() {
  const texts = useLoginTexts()
  const hawser = useHawser()
  const blocked = useLegalBlock()
  const [email, setEmail] = useState('')
  const { thrown } = useCoreTexts()
  const { tryAgain } = useTexts()
  const [problem, setProblem] = useState<EmailProblem>()
  const [isPending, setPending] = useState(false)
  const isSelected = useRef(false)

  function select() {
    if (isSelected.current) return
    isSelected.current = true
    hawser.events.emit({ event: 'EMAIL_LOGIN_SELECTED' })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    select()
    setProblem(undefined)
    setPending(true)
    const found = await loginWithEmail(hawser, email)
    setPending(false)
    setProblem(found)
  }

  const errors = { invalid: texts.invalidEmail, unreached: thrown.emailLoginUnavailable }
  return (
    <form className="hw-email" noValidate onSubmit={submit}>
      <TextField
        label={texts.email}
        placeholder={texts.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        icon={<MailIcon />}
        value={email}
        disabled={blocked}
        readOnly={isPending}
        error={problem && errors[problem]}
        data-testid="wui-email-input"
        onFocus={select}
        onChange={(event) => {
          setEmail(event.target.value)
          setProblem(undefined)
        }}
        end={
          isPending ? (
            <span className="hw-email-end">
              <Spinner />
            </span>
          ) : (
            email.length > MOST_LETTERS_WITHOUT_BUTTON && (
              <IconButton className="hw-email-end" label={texts.submitEmail} type="submit" disabled={blocked}>
                <ChevronRightIcon />
              </IconButton>
            )
          )
        }
      />
      {problem === 'unreached' && (
        <Button type="submit" wide icon={<RetryIcon size={18} />} data-testid="email-retry">
          {tryAgain}
        </Button>
      )}
      {isPending && <LoginApproval />}
    </form>
  )
}
