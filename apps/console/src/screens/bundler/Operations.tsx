import { BoltIcon } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { usePages } from '../../api/usePages.ts'
import { exactTimeText, numberText, shortText } from '../../format.ts'
import { type OperationRecord, OperationState } from '../../gen/hawser/bundler/v1/admin_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Segmented } from '../../parts/fields.tsx'
import { State } from '../../parts/State.tsx'
import { texts } from '../../texts.ts'
import { ProjectId } from '../projects/ProjectsScreen.tsx'

/** The operations that wait, or all, the newest first. */
export function Operations() {
  const { api } = useConsole()
  const { bundler } = texts
  const [shown, setShown] = useState<'waiting' | 'all'>('all')
  const waiting = shown === 'waiting'
  const pages = usePages(shown, async (cursor, signal) => {
    const { operations, next } = await api.bundler.listOperations({ waiting, cursor }, { signal })
    return { rows: operations, next }
  })
  return (
    <Card
      title={bundler.operations}
      hint={bundler.operationsHint}
      flush
      end={
        <Segmented
          label={bundler.show}
          labelStyle="hidden"
          value={shown}
          options={[
            ['all', bundler.shown.all],
            ['waiting', bundler.shown.waiting],
          ]}
          onChange={setShown}
        />
      }
    >
      <DataTable
        label={bundler.operations}
        data-testid="operations"
        rows={pages.rows}
        rowKey={({ chainId, hash }) => `${chainId} ${hash}`}
        failure={pages.failure}
        onRetry={pages.reload}
        isLoading={pages.isLoading}
        hasMore={pages.hasMore}
        onMore={pages.loadMore}
        empty={{
          icon: <BoltIcon size={26} />,
          title: waiting ? bundler.noWaiting : bundler.noOperations,
          text: waiting ? bundler.noWaitingText : bundler.noOperationsText,
        }}
        columns={[
          { key: 'operation', title: bundler.operation, isName: true, cell: (row) => <Name row={row} /> },
          { key: 'progress', title: bundler.progress, cell: (row) => <Progress row={row} /> },
          {
            key: 'sender',
            title: bundler.sender,
            cell: ({ sender }) => (
              <CopyText text={sender} what={bundler.sender.toLowerCase()} shown={shortText(sender)} />
            ),
          },
          { key: 'transaction', title: bundler.transaction, cell: (row) => <Sent row={row} /> },
          { key: 'project', title: bundler.project, cell: ({ projectId }) => <ProjectId id={projectId} /> },
        ]}
      />
    </Card>
  )
}

const tones = {
  [OperationState.UNSPECIFIED]: 'neutral',
  [OperationState.WAITING]: 'warning',
  [OperationState.INCLUDED]: 'success',
  [OperationState.FINAL]: 'success',
  [OperationState.DROPPED]: 'error',
} as const satisfies Record<OperationState, string>

function Name({ row: { hash, chainId, removal, receivedAt } }: { row: OperationRecord }) {
  const { bundler } = texts
  return (
    <span className="setting">
      <CopyText text={hash} what={bundler.operation.toLowerCase()} shown={shortText(hash)} />
      <span className="aside">{`${chainId} · ${exactTimeText(receivedAt)}`}</span>
      {removal && <span className="aside">{bundler.removal}</span>}
    </span>
  )
}

function Progress({ row: { state, block, transactions } }: { row: OperationRecord }) {
  const { bundler } = texts
  const isFailed = state === OperationState.DROPPED && block > 0n
  return (
    <span className="setting">
      <State tone={tones[state] ?? 'neutral'}>{isFailed ? bundler.failed : bundler.states[state]}</State>
      {block > 0n && <span className="aside">{bundler.block(numberText(block))}</span>}
      {transactions > 1 && <span className="aside">{bundler.signed(numberText(transactions))}</span>}
    </span>
  )
}

function Sent({ row: { transaction, executor } }: { row: OperationRecord }) {
  const { bundler } = texts
  if (!transaction) return texts.none
  return (
    <span className="setting">
      <CopyText text={transaction} what={bundler.transaction.toLowerCase()} shown={shortText(transaction)} />
      <span className="aside" title={executor}>{`${bundler.executor} ${shortText(executor)}`}</span>
    </span>
  )
}
