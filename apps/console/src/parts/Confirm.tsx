import { Button, Dialog, TextField } from '@hawser/ui'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Failure } from '../api/failure.ts'
import { texts } from '../texts.ts'
import { Problem } from './Failed.tsx'

export interface ConfirmProps {
  open: boolean
  title: string
  children: ReactNode
  /** Label of the button that does it. */
  action: string
  tone?: 'danger' | 'primary'
  /** What has to be typed first, and the label of the field. */
  typed?: { text: string; label: string }
  isPending: boolean
  failure: Failure | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that cannot be undone, or that many notice. */
export function Confirm({ open, title, onClose, ...rest }: ConfirmProps) {
  const id = useId()
  return (
    <Dialog open={open} labelledBy={id} onRequestClose={onClose}>
      <Content {...rest} id={id} title={title} onClose={onClose} />
    </Dialog>
  )
}

function Content({
  id,
  title,
  children,
  action,
  tone = 'danger',
  typed,
  isPending,
  failure,
  onConfirm,
  onClose,
}: Omit<ConfirmProps, 'open'> & { id: string }) {
  const [entered, setEntered] = useState('')
  const isReady = !typed || entered.trim() === typed.text.trim()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady && !isPending) onConfirm()
  }
  return (
    <form className="confirm" onSubmit={submit}>
      <h2 id={id}>{title}</h2>
      <p>{children}</p>
      {typed && (
        <>
          <p>
            {typed.label}: <strong className="typed">{typed.text}</strong>
          </p>
          <TextField
            label={typed.label}
            value={entered}
            data-testid="confirm-typed"
            onChange={(event) => setEntered(event.target.value)}
          />
        </>
      )}
      <Problem failure={failure} />
      <div className="confirm-buttons">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant={tone} disabled={!isReady} loading={isPending} data-testid="confirm">
          {action}
        </Button>
      </div>
    </form>
  )
}
