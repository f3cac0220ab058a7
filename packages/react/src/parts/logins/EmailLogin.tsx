import { loginWithEmail } from '@hawser/core'
import { ChevronRightIcon, IconButton, MailIcon, Spinner, TextField } from '@hawser/ui'
import { type FormEvent, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLoginTexts } from '../../locale/enLogin.ts'
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
  const [isInvalid, setInvalid] = useState(false)
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
    setInvalid(false)
    setPending(true)
    const problem = await loginWithEmail(hawser, email)
    setPending(false)
    setInvalid(problem === 'invalid')
  }

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
        error={isInvalid ? texts.invalidEmail : undefined}
        data-testid="wui-email-input"
        onFocus={select}
        onChange={(event) => {
          setEmail(event.target.value)
          setInvalid(false)
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
      {isPending && <LoginApproval />}
    </form>
  )
}
