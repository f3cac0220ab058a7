import {
  type NameReadiness,
  type NamesState,
  nameReadiness,
  registerName,
  setNameLabel,
  showToast,
  suggestNames,
  thrownMessage,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'
import { Button, Spinner, TextField } from '@hawser/ui'
import { type FormEvent, useId, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useNamesTexts } from '../../locale/useNamesTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NameRows } from './NameRows.tsx'

/** The form that registers a name: the typed name, whether it is available, and suggestions. */
export function RegisterAccountNameView() {
  const namesTexts = useNamesTexts()
  const messages = useMessages()
  const texts = useTexts()
  const hawser = useHawser()
  const names = useHawserState(hawser.names, (state) => state)
  const { profileName } = useAccount()
  const hintId = useId()
  const [hasLeft, setLeft] = useState(false)
  const readiness = nameReadiness(names)
  const [wanted] = names.suggestions
  const isReady = readiness === 'ready' && !profileName

  /** A form that was ready may have become unready: the wallet may have been disconnected. */
  function choose(name: string) {
    registerName(hawser, name).catch(() =>
      showToast(hawser, { ...thrownMessage('nameRegistrationFailed'), variant: 'error' }),
    )
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady && wanted) choose(wanted.name)
  }
  return (
    <form className="hw-stack hw-names" onSubmit={submit} noValidate>
      <p className="hw-names-intro">{namesTexts.intro}</p>
      <div
        className="hw-names-field"
        data-state={isWrong(readiness, hasLeft) || names.error ? 'error' : 'idle'}
      >
        <TextField
          label={namesTexts.label}
          placeholder={namesTexts.placeholder}
          value={names.label}
          maxLength={80}
          autoComplete="off"
          aria-describedby={hintId}
          end={readiness === 'checking' && <Spinner size={18} />}
          data-testid="wui-ens-input"
          onBlur={() => setLeft(true)}
          onChange={(event) => {
            setLeft(false)
            setNameLabel(hawser, event.target.value)
          }}
        />
        <p id={hintId} className="hw-names-hint" role="status" data-testid="name-hint">
          {profileName ? namesTexts.owned : hintOf(names, readiness, namesTexts, messages)}
        </p>
      </div>
      <div className="hw-names-rows">
        {readiness === 'unavailable' && (
          <Button size="small" wide onClick={() => void suggestNames(hawser)}>
            {texts.tryAgain}
          </Button>
        )}
        <NameRows suggestions={names.suggestions} onChoose={profileName ? undefined : choose} />
      </div>
      <Button type="submit" variant="primary" wide disabled={!isReady} data-testid="name-register-button">
        {namesTexts.register}
      </Button>
    </form>
  )
}

/** Reports whether to mark an error. A name that is too short is not marked while it is typed. */
function isWrong(readiness: NameReadiness, hasLeft: boolean): boolean {
  if (readiness === 'tooShort') return hasLeft
  return readiness === 'invalidLetters' || readiness === 'tooLong' || readiness === 'unavailable'
}

function hintOf(
  { error, isDeclined, suggestions }: NamesState,
  readiness: NameReadiness,
  texts: Texts['names'],
  messages: ReturnType<typeof useMessages>,
): string {
  if (error !== undefined) return messages(error)
  if (isDeclined) return texts.declined
  const hasOthers = suggestions.length > 1
  return (!hasOthers && textFor(texts.none, readiness)) || texts.hints[readiness]
}
