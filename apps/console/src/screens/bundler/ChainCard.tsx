import { shortText } from '../../format.ts'
import { type BundlerChain, type BundlerFunds, FundsRole } from '../../gen/hawser/bundler/v1/admin_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { State } from '../../parts/State.tsx'
import { texts } from '../../texts.ts'
import { ProjectId } from '../projects/ProjectsScreen.tsx'
import { shortWeiText, weiText } from './amount.ts'

export interface ChainCardProps {
  chain: BundlerChain
  /** The most that is paid for a project in a day, in wei; empty without a paymaster. */
  projectLimit: string
}

/** What the bundler has and paid on one chain. */
export function ChainCard({ chain, projectLimit }: ChainCardProps) {
  const { bundler } = texts
  const { chainId, symbol, forwarded } = chain
  const name = chain.name || chainId
  const hint = [name !== chainId && chainId, forwarded && bundler.forwarded].filter(Boolean).join(' · ')
  return (
    <Card
      title={name}
      hint={hint || undefined}
      flush
      data-testid={`bundler-${chainId}`}
      end={
        !forwarded && (
          <span className="height" title={bundler.lost}>
            {bundler.lostShort}{' '}
            <strong>
              <Limited wei={chain.lostWei} limit={chain.lossLimitWei} symbol={symbol} />
            </strong>
          </span>
        )
      }
    >
      <Funds chain={chain} name={name} />
      <Projects chain={chain} name={name} limit={projectLimit} />
    </Card>
  )
}

function Funds({ chain, name }: { chain: BundlerChain; name: string }) {
  const { bundler } = texts
  const { symbol, lowBelowWei } = chain
  const low = lowBelowWei ? bundler.lowBelow(shortWeiText(lowBelowWei, symbol)) : undefined
  return (
    <DataTable
      label={bundler.funds(name)}
      rows={chain.funds}
      rowKey={({ account, role }) => `${role} ${account}`}
      empty={{ line: <NoFunds chain={chain} /> }}
      columns={[
        {
          key: 'account',
          title: bundler.account,
          isName: true,
          cell: ({ account }) => (
            <CopyText text={account} what={bundler.account.toLowerCase()} shown={shortText(account)} />
          ),
        },
        { key: 'role', title: bundler.role, cell: ({ role }) => bundler.roles[role] },
        {
          key: 'balance',
          title: bundler.balance,
          align: 'end',
          cell: ({ wei }) => <span title={weiText(wei, symbol)}>{shortWeiText(wei, symbol)}</span>,
        },
        {
          key: 'state',
          title: bundler.state,
          cell: (funds) => (
            <span title={low}>
              <FundsState funds={funds} isKnown={low !== undefined} />
            </span>
          ),
        },
      ]}
    />
  )
}

function NoFunds({ chain: { unread, forwarded } }: { chain: BundlerChain }) {
  const { bundler } = texts
  if (unread) return <State tone="warning">{bundler.unread}</State>
  if (forwarded) return <State tone="neutral">{bundler.noFundsForwarded}</State>
  return <State tone="error">{bundler.noFunds}</State>
}

function Projects({ chain, name, limit }: { chain: BundlerChain; name: string; limit: string }) {
  const { bundler } = texts
  const { symbol } = chain
  return (
    <DataTable
      label={bundler.projects(name)}
      rows={chain.projects}
      rowKey={({ projectId }) => projectId}
      empty={{ line: <span className="aside">{bundler.noProjects}</span> }}
      columns={[
        {
          key: 'project',
          title: bundler.project,
          isName: true,
          cell: ({ projectId }) => <ProjectId id={projectId} />,
        },
        {
          key: 'sponsored',
          title: bundler.sponsored,
          align: 'end',
          cell: ({ sponsoredWei }) => <Limited wei={sponsoredWei} limit={limit} symbol={symbol} />,
        },
        {
          key: 'lost',
          title: bundler.lostShort,
          align: 'end',
          cell: ({ lostWei }) => <Limited wei={lostWei} limit={chain.projectLossLimitWei} symbol={symbol} />,
        },
      ]}
    />
  )
}

function FundsState({ funds, isKnown }: { funds: BundlerFunds; isKnown: boolean }) {
  const { bundler } = texts
  if (funds.wei === '0') return <State tone="error">{bundler.empty}</State>
  if (!isKnown) return <State tone="neutral">{bundler.unknown}</State>
  if (!funds.low) return <State tone="success">{bundler.enough}</State>
  return <State tone={funds.role === FundsRole.EXECUTOR ? 'error' : 'warning'}>{bundler.low}</State>
}

/** An amount of what it can be at most, in the colour of a warning from four fifths of it on. */
function Limited({ wei, limit, symbol }: { wei: string; limit: string; symbol: string }) {
  const { bundler } = texts
  if (!limit) return <span title={weiText(wei, symbol)}>{shortWeiText(wei, symbol)}</span>
  const text = bundler.ofLimit(shortWeiText(wei, ''), shortWeiText(limit, symbol))
  const isNear = BigInt(wei) * 5n >= BigInt(limit) * 4n && BigInt(wei) > 0n
  return (
    <span title={bundler.ofLimit(weiText(wei, ''), weiText(limit, symbol))}>
      {isNear ? <State tone="warning">{text}</State> : text}
    </span>
  )
}
