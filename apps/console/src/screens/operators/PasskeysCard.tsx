import { Button, Dialog, KeyIcon, Tag, TextField } from '@hawser/ui'
import { type FormEvent, useId, useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts'
import { type Action, useAction } from '../../api/useAction.ts'
import { useRead } from '../../api/useRead.ts'
import { agoText, timeText } from '../../format.ts'
import type { Passkey } from '../../gen/hawser/admin/v1/passkeys_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Problem } from '../../parts/Failed.tsx'
import { texts } from '../../texts.ts'
import { hostOf } from './issuer.ts'

/** The passkeys of the caller. */
export function PasskeysCard() {
  const { api, me, tell } = useConsole()
  const { passkeys } = texts
  const reading = useRead('passkeys', (signal) => api.passkeys.listPasskeys({}, { signal }))
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey>()
  const add = useAction(async (name: string) => {
    const { options } = await api.passkeys.startPasskey({})
    await api.passkeys.addPasskey({ name, credential: await makePasskey(options) })
    tell(passkeys.added)
    setAdding(false)
    reading.reload()
  })
  const remove = useAction(async ({ id }: Passkey) => {
    await api.passkeys.removePasskey({ id })
    tell(passkeys.removed)
    setLeaving(undefined)
    reading.reload()
  })
  const issuer = me.operator?.issuer ?? ''
  const canAdd = !issuer && hasPasskeys()
  return (
    <>
      <Card
        title={passkeys.title}
        hint={issuer ? passkeys.provided(hostOf(issuer)) : canAdd ? passkeys.hint : passkeys.unavailable}
        end={
          canAdd && (
            <Button size="small" onClick={() => setAdding(true)}>
              {passkeys.add}
            </Button>
          )
        }
        flush
      >
        <DataTable
          label={passkeys.title}
          data-testid="passkeys"
          rows={reading.data?.passkeys}
          rowKey={({ id }) => id}
          failure={reading.failure}
          onRetry={reading.reload}
          empty={{
            icon: <KeyIcon size={26} />,
            title: passkeys.empty,
            text: canAdd ? passkeys.emptyText : '',
          }}
          columns={[
            {
              key: 'name',
              title: passkeys.name,
              isName: true,
              cell: ({ name, synced }) => (
                <span className="tags">
                  <span className="cut" title={name}>
                    {name}
                  </span>
                  {synced && <Tag>{passkeys.synced}</Tag>}
                </span>
              ),
            },
            { key: 'created', title: passkeys.createdAt, cell: ({ createdAt }) => timeText(createdAt) },
            {
              key: 'used',
              title: passkeys.usedAt,
              cell: ({ usedAt }) => (usedAt > 0n ? agoText(usedAt, Date.now()) : texts.never),
            },
            {
              key: 'remove',
              title: passkeys.remove,
              hideTitle: true,
              align: 'end',
              cell: (passkey) => (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`${passkeys.remove}: ${passkey.name}`}
                  onClick={() => setLeaving(passkey)}
                >
                  {passkeys.remove}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      <AddDialog
        open={isAdding}
        action={add}
        onClose={() => {
          setAdding(false)
          add.clear()
        }}
      />
      <Confirm
        open={leaving !== undefined}
        title={passkeys.removeTitle(leaving?.name ?? '')}
        action={passkeys.remove}
        isPending={remove.isPending}
        failure={remove.failure}
        onConfirm={() => leaving && void remove.run(leaving)}
        onClose={() => {
          setLeaving(undefined)
          remove.clear()
        }}
      >
        {passkeys.removeText}
      </Confirm>
    </>
  )
}

interface AddDialogProps {
  open: boolean
  action: Action<[name: string]>
  onClose: () => void
}

/** Asks for the name of a new passkey; the browser asks the rest. */
function AddDialog({ open, action, onClose }: AddDialogProps) {
  const id = useId()
  return (
    <Dialog open={open} labelledBy={id} onRequestClose={onClose}>
      <AddForm id={id} action={action} onClose={onClose} />
    </Dialog>
  )
}

const MOST_LETTERS = 60

function AddForm({ id, action, onClose }: Omit<AddDialogProps, 'open'> & { id: string }) {
  const { passkeys } = texts
  const [name, setName] = useState<string>(passkeys.nameDefault)
  const chosen = name.trim()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen) void action.run(chosen)
  }
  return (
    <form className="confirm" onSubmit={submit}>
      <h2 id={id}>{passkeys.add}</h2>
      <p>{passkeys.addText}</p>
      <TextField
        label={passkeys.name}
        value={name}
        maxLength={MOST_LETTERS}
        onChange={(event) => setName(event.target.value)}
      />
      <Problem failure={action.failure} />
      <div className="confirm-buttons">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={!chosen}
          loading={action.isPending}
          data-testid="confirm"
        >
          {passkeys.next}
        </Button>
      </div>
    </form>
  )
}
