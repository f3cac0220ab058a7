import { Button, KeyIcon, Skeleton } from '@hawser/ui'
import { useState } from 'react'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { useRead } from '../../api/useRead.ts'
import { saveFile } from '../../csv.ts'
import { timeText } from '../../format.ts'
import type { AdminUser } from '../../gen/hawser/admin/v1/users_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Failed, Problem } from '../../parts/Failed.tsx'
import { DownloadIcon } from '../../parts/icons.tsx'
import { Page } from '../../parts/Page.tsx'
import { State } from '../../parts/State.tsx'
import { goTo, hrefOf } from '../../shell/route.ts'
import { texts } from '../../texts.ts'

/** What is stored of one user, and what an operator may do about it. */
export function UserScreen({ id }: { id: string }) {
  const { api } = useConsole()
  const reading = useRead(`user ${id}`, (signal) => api.users.getUser({ id }, { signal }))
  const user = reading.data?.user
  const back = { label: texts.users.back, href: hrefOf('users') }
  if (!user) {
    return (
      <Page title={texts.users.user} back={back}>
        <div className="card">
          {reading.failure ? (
            <Failed failure={reading.failure} onRetry={reading.reload} />
          ) : (
            <div role="status" className="loading-block">
              <span className="hw-visually-hidden">{texts.loading}</span>
              <Skeleton width={240} height={20} />
              <Skeleton width={420} height={14} />
            </div>
          )}
        </div>
      </Page>
    )
  }
  return (
    <Page title={user.email || texts.users.noEmail} back={back}>
      <Actions user={user} onSignedOut={reading.reload} />
      <FactsCard user={user} />
      <Lists user={user} />
    </Page>
  )
}

function Actions({ user, onSignedOut }: { user: AdminUser; onSignedOut: () => void }) {
  const { api, tell } = useConsole()
  const { users } = texts
  const mayExport = useMay(Role.OPERATOR)
  const mayDelete = useMay(Role.OWNER)
  const [asked, setAsked] = useState<'signOut' | 'delete'>()
  const { id } = user
  const save = useAction(async () => {
    const { json, fileName } = await api.users.exportUser({ id })
    saveFile(fileName, 'application/json', json)
    tell(users.exported)
  })
  const signOut = useAction(async () => {
    const { ended } = await api.users.signOutUser({ id })
    setAsked(undefined)
    tell(users.signedOut(ended))
    onSignedOut()
  })
  const remove = useAction(async () => {
    await api.users.deleteUser({ id, createdAt: user.createdAt })
    tell(users.deleted)
    goTo('users')
  })
  return (
    <>
      <div className="form-buttons">
        {mayExport && (
          <Button
            size="small"
            icon={<DownloadIcon />}
            loading={save.isPending}
            onClick={() => void save.run()}
          >
            {users.export}
          </Button>
        )}
        <Button size="small" onClick={() => setAsked('signOut')}>
          {users.signOut}
        </Button>
        {mayDelete && (
          <Button size="small" variant="danger" onClick={() => setAsked('delete')}>
            {users.delete}
          </Button>
        )}
      </div>
      {save.failure && <Problem failure={save.failure} />}
      <Confirm
        open={asked === 'signOut'}
        title={users.signOutTitle}
        action={users.signOut}
        isPending={signOut.isPending}
        failure={signOut.failure}
        onConfirm={() => void signOut.run()}
        onClose={() => setAsked(undefined)}
      >
        {users.signOutText}
      </Confirm>
      <Confirm
        open={asked === 'delete'}
        title={users.deleteTitle}
        action={users.delete}
        typed={
          user.email
            ? { text: user.email, label: users.deleteType }
            : { text: id.slice(0, 8), label: users.deleteTypeId }
        }
        isPending={remove.isPending}
        failure={remove.failure}
        onConfirm={() => void remove.run()}
        onClose={() => setAsked(undefined)}
      >
        {users.deleteText}
      </Confirm>
    </>
  )
}

function FactsCard({ user }: { user: AdminUser }) {
  const { users } = texts
  return (
    <Card title={users.user} hideTitle>
      <Facts
        facts={[
          [users.id, <CopyText key="id" text={user.id} what={users.id.toLowerCase()} />],
          [
            users.project,
            <a key="project" className="link" href={hrefOf('projects', user.projectId)}>
              <code>{user.projectId}</code>
            </a>,
          ],
          [users.createdAt, timeText(user.createdAt)],
          [
            users.wallet,
            user.walletId ? (
              <CopyText key="wallet" text={user.walletId} what={users.wallet.toLowerCase()} />
            ) : (
              users.noWallet
            ),
          ],
          [
            users.backup,
            user.hasBackupFactor || !user.walletId ? (
              user.hasBackupFactor ? (
                texts.yes
              ) : (
                texts.no
              )
            ) : (
              <State key="backup" tone="warning">
                {users.noBackup}
              </State>
            ),
          ],
          [users.recoveryKit, user.recoveryKitAt > 0n ? timeText(user.recoveryKitAt) : texts.never],
        ]}
      />
    </Card>
  )
}

function Lists({ user }: { user: AdminUser }) {
  const { users } = texts
  return (
    <>
      <ListCard
        title={users.accounts}
        rows={user.accounts}
        rowKey={({ namespace, address }) => `${namespace} ${address}`}
        nothing={users.noAccounts}
        columns={[
          {
            key: 'address',
            title: users.address,
            isName: true,
            cell: ({ address }) => <CopyText text={address} what={users.address.toLowerCase()} />,
          },
          {
            key: 'namespace',
            title: users.namespace,
            cell: ({ namespace, kind }) => [namespace, kind].filter(Boolean).join(', '),
          },
        ]}
      />
      <ListCard
        title={users.identities}
        rows={user.identities}
        rowKey={({ provider, subject }) => `${provider} ${subject}`}
        nothing={texts.none}
        columns={[
          { key: 'name', title: users.name, isName: true, cell: ({ name, subject }) => name || subject },
          { key: 'provider', title: users.provider, cell: ({ provider }) => provider },
          {
            key: 'since',
            title: users.createdAt,
            cell: ({ createdAt, startsAt, endsAt }) => (
              <span className="setting">
                <span>{timeText(createdAt)}</span>
                {startsAt > 0n && <State tone="warning">{users.waits(timeText(startsAt))}</State>}
                {endsAt > 0n && <State tone="warning">{users.ends(timeText(endsAt))}</State>}
              </span>
            ),
          },
        ]}
      />
      <ListCard
        title={users.factors}
        rows={user.factors}
        rowKey={({ id }) => id}
        nothing={users.noFactors}
        columns={[
          {
            key: 'label',
            title: users.name,
            isName: true,
            cell: ({ label, kind }) => label || users.factorKinds[kind],
          },
          { key: 'kind', title: users.kind, cell: ({ kind }) => users.factorKinds[kind] },
          { key: 'created', title: users.createdAt, cell: ({ createdAt }) => timeText(createdAt) },
          {
            key: 'used',
            title: users.usedAt,
            cell: ({ usedAt }) => (usedAt > 0n ? timeText(usedAt) : texts.never),
          },
        ]}
      />
      <ListCard
        title={users.sessions}
        rows={user.sessions}
        rowKey={({ id }) => id}
        nothing={users.noSessions}
        columns={[
          {
            key: 'device',
            title: users.device,
            isName: true,
            cell: ({ browser, system }) => [browser, system].filter(Boolean).join(', '),
          },
          { key: 'site', title: users.site, cell: ({ site }) => <span className="cut">{site}</span> },
          { key: 'created', title: users.createdAt, cell: ({ createdAt }) => timeText(createdAt) },
          { key: 'used', title: users.usedAt, cell: ({ usedAt }) => timeText(usedAt) },
        ]}
      />
      <ListCard
        title={users.changes}
        rows={user.changes}
        rowKey={({ kind, provider, at }) => `${kind} ${provider} ${at}`}
        nothing={users.noChanges}
        columns={[
          {
            key: 'kind',
            title: users.change,
            isName: true,
            cell: ({ kind, provider }) => [users.changeKinds[kind], provider].filter(Boolean).join(': '),
          },
          { key: 'at', title: texts.audit.when, cell: ({ at }) => timeText(at) },
        ]}
      />
    </>
  )
}

interface ListCardProps<Row> {
  title: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Said instead of a table without rows. */
  nothing: string
}

/** A list of a user; one line where there is nothing in it. */
function ListCard<Row>({ title, rows, rowKey, columns, nothing }: ListCardProps<Row>) {
  if (rows.length === 0) {
    return (
      <Card title={title}>
        <p className="nothing">{nothing}</p>
      </Card>
    )
  }
  return (
    <Card title={title} flush>
      <DataTable
        label={title}
        rows={rows}
        rowKey={rowKey}
        columns={columns}
        empty={{ icon: <KeyIcon size={26} />, title: nothing, text: '' }}
      />
    </Card>
  )
}
