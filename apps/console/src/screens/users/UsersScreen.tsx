import { ContactsIcon, EmptyState, SearchIcon } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { timeText } from '../../format.ts'
import type { UserSummary } from '../../gen/hawser/admin/v1/users_pb.ts'
import { DataTable } from '../../parts/DataTable.tsx'
import { Failed } from '../../parts/Failed.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchForm } from '../../parts/SearchForm.tsx'
import { goTo, hrefOf } from '../../shell/route.ts'
import { texts } from '../../texts.ts'
import { ProjectId } from '../projects/ProjectsScreen.tsx'
import { type FindRequest, findRequestOf } from './query.ts'

/** Finds users of the embedded wallet. */
export function UsersScreen() {
  const { api } = useConsole()
  const { users } = texts
  const [found, setFound] = useState<readonly UserSummary[]>()
  const find = useAction(async (request: FindRequest) => {
    setFound(undefined)
    const answer = await api.users.findUsers(request)
    const [only, ...others] = answer.users
    if (only && others.length === 0) goTo('users', only.id)
    else setFound(answer.users)
  })
  return (
    <Page title={texts.screens.users} lead={users.lead}>
      <SearchForm
        label={users.search}
        action={users.find}
        parse={findRequestOf}
        problem={users.tooShort}
        isPending={find.isPending}
        onSearch={(request) => void find.run(request)}
      />
      <div className="card" data-flush aria-live="polite">
        {find.failure ? (
          <Failed failure={find.failure} onRetry={find.clear} />
        ) : found ? (
          <Found users={found} />
        ) : (
          <EmptyState icon={<ContactsIcon size={26} />} title={users.start}>
            {users.startText}
          </EmptyState>
        )}
      </div>
    </Page>
  )
}

function Found({ users: found }: { users: readonly UserSummary[] }) {
  const { users } = texts
  return (
    <DataTable
      label={users.results}
      rows={found}
      rowKey={({ id }) => id}
      empty={{ icon: <SearchIcon size={26} />, title: users.notFound, text: users.notFoundText }}
      columns={[
        {
          key: 'user',
          title: users.user,
          isName: true,
          cell: ({ id, email }) => (
            <a className="row-link" href={hrefOf('users', id)}>
              {email || users.noEmail}
            </a>
          ),
        },
        { key: 'project', title: users.project, cell: ({ projectId }) => <ProjectId id={projectId} /> },
        { key: 'created', title: users.createdAt, cell: ({ createdAt }) => timeText(createdAt) },
      ]}
    />
  )
}
