import { Button, NameIcon } from '@hawser/ui'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { usePages } from '../../api/usePages.ts'
import { exactTimeText } from '../../format.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Problem } from '../../parts/Failed.tsx'
import { SearchForm } from '../../parts/SearchForm.tsx'
import { texts } from '../../texts.ts'
import { labelOf } from './query.ts'

/** The labels that nobody may register, for operators with a form to add to them. */
export function BlockedLabels() {
  const { api, tell } = useConsole()
  const { names } = texts
  const mayBlock = useMay(Role.OPERATOR)
  const pages = usePages('blocked labels', async (cursor, signal) => {
    const { labels, next } = await api.names.listBlockedLabels({ cursor }, { signal })
    return { rows: labels, next }
  })
  const block = useAction(async (label: string) => {
    await api.names.blockLabel({ label })
    tell(names.blockedNow(label))
    pages.reload()
  })
  const unblock = useAction(async (label: string) => {
    await api.names.unblockLabel({ label })
    tell(names.unblockedNow(label))
    pages.reload()
  })
  return (
    <Card title={names.blocked} hint={names.blockedHint} flush>
      {mayBlock && (
        <div className="card-form">
          <SearchForm
            label={names.label}
            action={names.block}
            parse={labelOf}
            problem={names.wrongLabel}
            icon={<NameIcon />}
            isPending={block.isPending}
            onSearch={(label) => void block.run(label)}
          />
          <Problem failure={block.failure ?? unblock.failure} />
        </div>
      )}
      <DataTable
        label={names.blocked}
        data-testid="blocked"
        rows={pages.rows}
        rowKey={({ label }) => label}
        failure={pages.failure}
        onRetry={pages.reload}
        isLoading={pages.isLoading}
        hasMore={pages.hasMore}
        onMore={pages.loadMore}
        empty={{ icon: <NameIcon size={26} />, title: names.noBlocked, text: names.noBlockedText }}
        columns={[
          {
            key: 'label',
            title: names.label,
            isName: true,
            cell: ({ label }) => (
              <code className="cut" title={label}>
                {label}
              </code>
            ),
          },
          { key: 'at', title: names.blockedAt, cell: ({ blockedAt }) => exactTimeText(blockedAt) },
          {
            key: 'unblock',
            title: names.unblock,
            hideTitle: true,
            align: 'end',
            cell: ({ label }) =>
              mayBlock && (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`${names.unblock}: ${label}`}
                  onClick={() => void unblock.run(label)}
                >
                  {names.unblock}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  )
}
