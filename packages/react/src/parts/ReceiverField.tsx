import type { ReceiverStatus } from '@hawser/core'
import { Button, PasteIcon, Spinner } from '@hawser/ui'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { useCoreTexts } from '../locale/textsOf.ts'
import { useTexts } from '../locale/useTexts.ts'

export interface ReceiverFieldProps {
  label: string
  /** The accessible name where the label alone is too short. */
  accessibleName?: string
  /** What was typed: an address or a name. */
  text: string
  status: ReceiverStatus
  /** Empty while there is none. */
  address: string
  /** Shown while the field is empty; names an address or a name by default. */
  placeholder?: string
  /** Name of the network on which a name is resolved. */
  networkName: string
  /** Names the network that was given with a valid address. */
  onNetwork?: string | undefined
  isReadOnly?: boolean
  /** A button beside that to paste, while the field is empty. */
  action?: ReactNode
  /** Returns what is offered below the text area. */
  suggestions?: ((field: RefObject<HTMLTextAreaElement | null>) => ReactNode) | undefined
  /** What is wrong with an invalid address, if it is known. */
  invalidText?: ReactNode
  /** Why a valid address cannot be used here. */
  objection?: string | undefined
  /** What is worth knowing about a valid address. */
  note?: string | undefined
  /** `${testId}-input` and `${testId}-outcome` name the two parts. */
  testId: string
  onType: (text: string) => void
  /** Resolves a name again that could not be resolved. */
  onRetry: () => void
  /** Accepts the new address of a name whose address changed since it was reviewed. */
  onAcceptMoved?: () => void
}

const wrong: readonly ReceiverStatus[] = ['invalid', 'unknownName', 'noAddress', 'unresolved', 'moved']

/** An account by address or name, typed or pasted; below a name the whole address that it resolves to. */
export function ReceiverField(props: ReceiverFieldProps) {
  const texts = useTexts()
  const {
    label,
    accessibleName,
    text,
    status,
    placeholder = texts.send.addressPlaceholder,
    isReadOnly = false,
    action,
    suggestions,
    objection,
    testId,
    onType,
  } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [pasteFailed, setPasteFailed] = useState(false)
  const isWrong = wrong.includes(status) || objection !== undefined

  function onChange(typed: string) {
    setPasteFailed(false)
    onType(typed.replace(/\s/g, ''))
  }

  async function paste() {
    field.current?.focus()
    try {
      onChange(await navigator.clipboard.readText())
    } catch {
      setPasteFailed(true)
    }
  }

  return (
    <div className="hw-entry-box" data-state={isWrong ? 'error' : 'idle'}>
      <div className="hw-entry-line">
        <label className="hw-entry-label" htmlFor={id}>
          {label}
        </label>
        {text === '' && (
          <span className="hw-send-actions">
            {action}
            <Button
              size="small"
              variant="quiet"
              icon={<PasteIcon size={16} />}
              className="hw-paste"
              onClick={paste}
            >
              {texts.send.paste}
            </Button>
          </span>
        )}
      </div>
      {/* Two lines: a whole address stays readable, so that it can be compared. */}
      <textarea
        id={id}
        ref={field}
        className="hw-send-address"
        dir="ltr"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        readOnly={isReadOnly}
        aria-label={accessibleName}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-outcome`}
        placeholder={placeholder}
        value={text}
        data-testid={`${testId}-input`}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.defaultPrevented) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      {suggestions?.(field)}
      <div id={`${id}-outcome`} className="hw-send-resolved" role="status" data-testid={`${testId}-outcome`}>
        {pasteFailed ? <Problem text={texts.send.pasteFailed} /> : <Outcome {...props} />}
      </div>
    </div>
  )
}

/** The address that a name resolves to, or what is wrong with the typed text. */
function Outcome(props: ReceiverFieldProps) {
  const { thrown } = useCoreTexts()
  const texts = useTexts()
  const { text, status, address, networkName, invalidText = texts.send.invalidAddress } = props
  const { onNetwork, objection, note, onRetry, onAcceptMoved } = props
  switch (status) {
    case 'invalid':
      return <Problem text={invalidText} />
    case 'unknownName':
      return <Problem text={texts.send.unknownName} />
    case 'noAddress':
      return <Problem text={texts.send.noAddress(text, networkName)} />
    case 'unresolved':
      return (
        <>
          <Problem text={thrown.nameResolutionFailed} />
          <Button size="small" variant="quiet" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        </>
      )
    case 'resolving':
      return (
        <>
          <Spinner size={16} />
          {texts.send.resolving}
        </>
      )
  }
  const isShown = address !== text && address !== ''
  if (!objection && !isShown && !note) return null
  return (
    <>
      <span className="hw-target-outcome">
        {status === 'moved' && <Problem text={texts.send.movedName(text)} />}
        {isShown && (
          <span className="hw-mono" dir="ltr">
            {address}
          </span>
        )}
        {onNetwork && <span>{onNetwork}</span>}
        {objection ? <Problem text={objection} /> : note && <span>{note}</span>}
      </span>
      {status === 'moved' && (
        <Button size="small" data-testid="send-accept-address" onClick={onAcceptMoved}>
          {texts.send.acceptAddress}
        </Button>
      )}
    </>
  )
}

function Problem({ text }: { text: ReactNode }) {
  return <span className="hw-field-error">{text}</span>
}
