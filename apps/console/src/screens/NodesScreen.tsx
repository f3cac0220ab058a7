import * as knownNetworks from '@hawser/core/networks'
import { EmptyState, Skeleton } from '@hawser/ui'
import { durationText, numberText } from '../format.ts'
import { type Chain, NodeState } from '../gen/hawser/status/v1/status_pb.ts'
import { Card } from '../parts/Card.tsx'
import { DataTable } from '../parts/DataTable.tsx'
import { Failed } from '../parts/Failed.tsx'
import { ChainIcon } from '../parts/icons.tsx'
import { LiveTag } from '../parts/LiveTag.tsx'
import { Page } from '../parts/Page.tsx'
import { State } from '../parts/State.tsx'
import { useHealth } from '../shell/HealthContext.ts'
import { texts } from '../texts.ts'

const names = new Map<string, string>(
  Object.values(knownNetworks).map(({ caipNetworkId, name }) => [caipNetworkId, name]),
)

/** The nodes of each chain, as every process that asks them sees them. */
export function NodesScreen() {
  const { health, failure } = useHealth()
  const processes = health?.suite?.processes.filter(({ chains }) => chains.length > 0)
  return (
    <Page title={texts.screens.nodes} lead={texts.nodes.lead} actions={<LiveTag />}>
      {!processes && failure && (
        <div className="card">
          <Failed failure={failure} onRetry={() => location.reload()} />
        </div>
      )}
      {!processes && !failure && (
        <div className="card" role="status">
          <span className="hw-visually-hidden">{texts.loading}</span>
          <Skeleton width={180} height={20} />
          <Skeleton width={420} height={14} />
        </div>
      )}
      {processes?.length === 0 && (
        <div className="card">
          <EmptyState icon={<ChainIcon size={26} />} title={texts.nodes.empty}>
            {texts.nodes.emptyText}
          </EmptyState>
        </div>
      )}
      {processes?.flatMap(({ address, chains }) =>
        chains.map((chain) => (
          <ChainCard
            key={`${address} ${chain.chainId}`}
            chain={chain}
            process={processes.length > 1 ? address : undefined}
          />
        )),
      )}
    </Page>
  )
}

const tones = {
  [NodeState.UNSPECIFIED]: 'neutral',
  [NodeState.UP]: 'success',
  [NodeState.BEHIND]: 'warning',
  [NodeState.DOWN]: 'error',
  [NodeState.WRONG_CHAIN]: 'error',
  [NodeState.UNKNOWN]: 'neutral',
} as const satisfies Record<NodeState, string>

function ChainCard({ chain, process }: { chain: Chain; process: string | undefined }) {
  const { nodes } = texts
  const name = names.get(chain.chainId)
  const hint = [name && chain.chainId, process].filter(Boolean).join(' · ')
  return (
    <Card
      title={name ?? chain.chainId}
      hint={hint || undefined}
      flush
      end={
        <span className="height">
          {nodes.height} <strong>{chain.height > 0n ? numberText(chain.height) : nodes.unknownHeight}</strong>
        </span>
      }
    >
      <DataTable
        label={name ?? chain.chainId}
        rows={chain.nodes}
        rowKey={({ host }, index) => `${host} ${index}`}
        empty={{ icon: <ChainIcon size={26} />, title: nodes.empty, text: nodes.emptyText }}
        columns={[
          { key: 'node', title: nodes.node, isName: true, cell: ({ host }) => <code>{host}</code> },
          {
            key: 'state',
            title: nodes.state,
            cell: ({ state }) => <State tone={tones[state] ?? 'neutral'}>{nodes.states[state]}</State>,
          },
          {
            key: 'head',
            title: nodes.head,
            align: 'end',
            cell: ({ head }) => (head > 0n ? numberText(head) : nodes.unknownHeight),
          },
          { key: 'behind', title: nodes.behind, align: 'end', cell: ({ behind }) => numberText(behind) },
          {
            key: 'answer',
            title: nodes.answer,
            align: 'end',
            cell: ({ answerMs }) => (answerMs > 0 ? `${answerMs.toFixed(answerMs < 10 ? 1 : 0)} ms` : '–'),
          },
          {
            key: 'score',
            title: nodes.score,
            align: 'end',
            cell: ({ score }) =>
              score ? (
                <span
                  title={nodes.scoreParts(score.latency, score.errors, score.freshness, score.correctness)}
                >
                  {score.total.toFixed(2)}
                </span>
              ) : (
                '–'
              ),
          },
          {
            key: 'error',
            title: nodes.lastError,
            cell: ({ lastError, lastErrorSeconds }) =>
              lastError ? nodes.lastErrorText(lastError, durationText(lastErrorSeconds)) : texts.none,
          },
        ]}
      />
    </Card>
  )
}
