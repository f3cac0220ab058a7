import { setReceiver } from '@hawser/core'
import { Button, PasteIcon } from '@hawser/ui'
import { useId, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { en } from '../../locale/en.ts'

/** The receiver's address, typed or pasted. */
export function SendReceiverField() {
  const hawser = useHawser()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [pasteFailed, setPasteFailed] = useState(false)
  const address = useHawserState(hawser.send, (state) => state.receiverAddress)
  const status = useHawserState(hawser.send, (state) => state.receiverStatus)

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
    <div className="hw-send-box" data-state={status === 'invalid' ? 'error' : 'idle'}>
      <div className="hw-send-line">
        <label className="hw-send-label" htmlFor={id}>
          {en.send.to}
        </label>
        {address === '' && (
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
        aria-invalid={status === 'invalid' || undefined}
        aria-describedby={pasteFailed ? `${id}-paste` : undefined}
        placeholder={en.send.addressPlaceholder}
        value={address}
        data-testid="send-address-input"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      {pasteFailed && (
        <p id={`${id}-paste`} className="hw-field-error" role="alert">
          {en.send.pasteFailed}
        </p>
      )}
    </div>
  )
}
