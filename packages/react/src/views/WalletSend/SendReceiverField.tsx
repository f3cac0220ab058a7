import { acceptMovedReceiver, type ReceiverStatus, resolveReceiver, setReceiver, thrown } from '@hawser/core'
import { Button, PasteIcon, Spinner } from '@hawser/ui'
import { useId, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { en } from '../../locale/en.ts'

/** The receiver's address or name, typed or pasted; below a name the address it leads to. */
export function SendReceiverField() {
  const hawser = useHawser()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [pasteFailed, setPasteFailed] = useState(false)
  const name = useHawserState(hawser.send, (state) => state.receiverProfileName)
  const address = useHawserState(hawser.send, (state) => state.receiverAddress)
  const status = useHawserState(hawser.send, (state) => state.receiverStatus)
  const isWrong = ['invalid', 'unknownName', 'unresolved', 'moved'].includes(status)
  const receiver = name ?? address

  function onChange(text: string) {
    setPasteFailed(false)
    void setReceiver(hawser, text.replace(/\s/g, ''))
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
    <div className="hw-send-box" data-state={isWrong ? 'error' : 'idle'}>
      <div className="hw-send-line">
        <label className="hw-send-label" htmlFor={id}>
          {en.send.to}
        </label>
        {receiver === '' && (
          <Button
            size="small"
            variant="quiet"
            icon={<PasteIcon size={16} />}
            className="hw-paste"
            onClick={paste}
          >
            {en.send.paste}
          </Button>
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
        aria-label={en.send.address}
        aria-invalid={isWrong || undefined}
        aria-describedby={pasteFailed ? `${id}-paste` : name && `${id}-name`}
        placeholder={en.send.addressPlaceholder}
        value={receiver}
        data-testid="send-address-input"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div id={`${id}-name`} className="hw-send-resolved" role="status" data-testid="send-resolved">
        {name && <Resolved name={name} address={address} status={status} />}
      </div>
      {pasteFailed && (
        <p id={`${id}-paste`} className="hw-field-error" role="alert">
          {en.send.pasteFailed}
        </p>
      )}
    </div>
  )
}

interface ResolvedProps {
  name: string
  address: string
  status: ReceiverStatus
}

/** The whole address a name leads to, so that it can be compared; or why there is none. */
function Resolved({ name, address, status }: ResolvedProps) {
  const hawser = useHawser()
  if (status === 'unknownName') return <span className="hw-field-error">{en.send.unknownName}</span>
  if (status === 'unresolved') {
    return (
      <>
        <span className="hw-field-error">{thrown.nameResolutionFailed}</span>
        <Button size="small" variant="quiet" onClick={() => void resolveReceiver(hawser)}>
          {en.tryAgain}
        </Button>
      </>
    )
  }
  if (address === '') {
    return (
      <>
        <Spinner size={16} />
        {en.send.resolving}
      </>
    )
  }
  const shown = (
    <span className="hw-mono" dir="ltr">
      {address}
    </span>
  )
  if (status !== 'moved') return shown
  return (
    <>
      <span>
        <span className="hw-field-error">{en.send.movedName(name)}</span>
        {shown}
      </span>
      <Button size="small" data-testid="send-accept-address" onClick={() => void acceptMovedReceiver(hawser)}>
        {en.send.acceptAddress}
      </Button>
    </>
  )
}
