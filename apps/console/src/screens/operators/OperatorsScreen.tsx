import { Button, CopyButton, KeyIcon, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { roles } from '../../api/roles.ts'
import { useAction } from '../../api/useAction.ts'
import { useRead } from '../../api/useRead.ts'
import { agoText, timeText } from '../../format.ts'
import type { Operator, OperatorSession } from '../../gen/hawser/admin/v1/operators_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Problem } from '../../parts/Failed.tsx'
import { Select } from '../../parts/fields.tsx'
import { Page } from '../../parts/Page.tsx'
import { texts } from '../../texts.ts'
import { hostOf } from './issuer.ts'
import { PasskeysCard } from './PasskeysCard.tsx'

/** The operators, for an owner, and the passkeys and sessions of the caller. */
export function OperatorsScreen() {
  const isOwner = useMay(Role.OWNER)
  const { operators } = texts
  return (
    <Page title={texts.screens.operators} lead={operators.lead}>
      {isOwner && <Operators />}
      <PasskeysCard />
      <Sessions />
      <Card title={operators.rights}>
        <Facts facts={roles.map((role) => [texts.roles[role], texts.roleRights[role]] as const)} />
      </Card>
    </Page>
  )
}

function Operators() {
  const { api, me, tell } = useConsole()
  const { operators } = texts
  const reading = useRead('operators', (signal) => api.operators.listOperators({}, { signal }))
  const [asked, setAsked] = useState<{ operator: Operator; role?: Role }>()
  const isMe = ({ id }: Operator) => id === me.operator?.id
  const change = useAction(async ({ operator, role }: { operator: Operator; role?: Role }) => {
    if (role) {
      await api.operators.setOperatorRole({ id: operator.id, role })
      tell(operators.roleChanged(operator.name, texts.roles[role]))
    } else {
      await api.operators.removeOperator({ id: operator.id })
      tell(operators.removed)
    }
    setAsked(undefined)
    reading.reload()
  })
  const close = () => {
    setAsked(undefined)
    change.clear()
  }
  return (
    <>
      <Card
        title={texts.screens.operators}
        hint={
          <>
            {operators.invite} <code>{operators.inviteCommand}</code>
          </>
        }
        end={<CopyButton text={operators.inviteCommand} label={texts.copy('command')} />}
        flush
      >
        <DataTable
          label={texts.screens.operators}
          data-testid="operators"
          rows={reading.data?.operators}
          rowKey={({ id }) => id}
          failure={reading.failure}
          onRetry={reading.reload}
          empty={{ icon: <KeyIcon size={26} />, title: operators.empty, text: operators.emptyText }}
          columns={[
            {
              key: 'name',
              title: operators.name,
              isName: true,
              cell: (operator) => (
                <span className="tags">
                  <span className="cut">{operator.name}</span>
                  {isMe(operator) && <Tag tone="accent">{operators.you}</Tag>}
                </span>
              ),
            },
            {
              key: 'role',
              title: operators.role,
              cell: (operator) =>
                operator.issuer ? (
                  <span className="setting">
                    <span>{texts.roles[operator.role]}</span>
                    <span className="aside">{hostOf(operator.issuer)}</span>
                  </span>
                ) : (
                  <Select
                    label={operators.roleOf(operator.name)}
                    labelStyle="hidden"
                    value={String(operator.role)}
                    options={roles.map((role) => [String(role), texts.roles[role]] as const)}
                    onChange={(role) => setAsked({ operator, role: Number(role) as Role })}
                  />
                ),
            },
            { key: 'created', title: operators.createdAt, cell: ({ createdAt }) => timeText(createdAt) },
            {
              key: 'used',
              title: operators.usedAt,
              cell: ({ usedAt }) => (usedAt > 0n ? agoText(usedAt, Date.now()) : texts.never),
            },
            {
              key: 'remove',
              title: operators.remove,
              hideTitle: true,
              align: 'end',
              cell: (operator) => (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`${operators.remove}: ${operator.name}`}
                  onClick={() => setAsked({ operator })}
                >
                  {operators.remove}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      <Confirm
        open={asked !== undefined}
        title={
          asked?.role
            ? operators.roleTitle(asked.operator.name, texts.roles[asked.role])
            : operators.removeTitle(asked?.operator.name ?? '')
        }
        action={asked?.role ? texts.save : operators.remove}
        tone={asked?.role ? 'primary' : 'danger'}
        isPending={change.isPending}
        failure={change.failure}
        onConfirm={() => asked && void change.run(asked)}
        onClose={close}
      >
        {asked?.role ? texts.roleRights[asked.role] : operators.removeText}
      </Confirm>
    </>
  )
}

function Sessions() {
  const { api, tell } = useConsole()
  const { operators } = texts
  const reading = useRead('sessions', (signal) => api.operators.listSessions({}, { signal }))
  const end = useAction(async (session: OperatorSession) => {
    await api.operators.endSession({ id: session.id })
    tell(operators.ended)
    reading.reload()
  })
  return (
    <Card title={operators.sessions} hint={operators.sessionsHint} flush>
      {end.failure && <Problem failure={end.failure} />}
      <DataTable
        label={operators.sessions}
        rows={reading.data?.sessions}
        rowKey={({ id }) => id}
        failure={reading.failure}
        onRetry={reading.reload}
        empty={{ icon: <KeyIcon size={26} />, title: operators.noSessions, text: '' }}
        columns={[
          {
            key: 'browser',
            title: operators.browser,
            isName: true,
            cell: ({ browser, current }) => (
              <span className="tags">
                <span className="cut" title={browser}>
                  {browser}
                </span>
                {current && <Tag tone="accent">{operators.current}</Tag>}
              </span>
            ),
          },
          { key: 'address', title: operators.address, cell: ({ address }) => <code>{address}</code> },
          {
            key: 'used',
            title: operators.usedAt,
            cell: ({ usedAt }) => agoText(usedAt, Date.now()),
          },
          {
            key: 'ends',
            title: operators.endsAt,
            cell: ({ idleEndsAt, endsAt }) => timeText(earlier(idleEndsAt, endsAt)),
          },
          {
            key: 'end',
            title: operators.end,
            hideTitle: true,
            align: 'end',
            cell: (session) =>
              !session.current && (
                <Button
                  size="small"
                  variant="quiet"
                  loading={end.isPending}
                  onClick={() => void end.run(session)}
                >
                  {operators.end}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  )
}

function earlier(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
