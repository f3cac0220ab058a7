import { BoltIcon, Button, EmptyState, RetryIcon, Skeleton } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { useRead } from '../../api/useRead.ts'
import { Failed, Problem } from '../../parts/Failed.tsx'
import { Page } from '../../parts/Page.tsx'
import { texts } from '../../texts.ts'
import { ChainCard } from './ChainCard.tsx'
import { Operations } from './Operations.tsx'

/** What the bundler has to pay with on each chain, what it paid, and its operations. */
export function BundlerScreen() {
  const { api } = useConsole()
  const { bundler } = texts
  const reading = useRead('bundler', (signal) => api.bundler.getBundler({}, { signal }))
  const [round, setRound] = useState(0)
  const { data, failure } = reading
  return (
    <Page
      title={texts.screens.bundler}
      lead={bundler.lead}
      actions={
        <Button
          size="small"
          icon={<RetryIcon />}
          loading={reading.isLoading}
          onClick={() => {
            reading.reload()
            setRound(round + 1)
          }}
        >
          {bundler.refresh}
        </Button>
      }
    >
      {!data && failure && (
        <div className="card">
          <Failed failure={failure} onRetry={reading.reload} />
        </div>
      )}
      {!data && !failure && (
        <div className="card" role="status">
          <span className="hw-visually-hidden">{texts.loading}</span>
          <Skeleton width={180} height={20} />
          <Skeleton width={420} height={14} />
        </div>
      )}
      {data && <Problem failure={failure} />}
      {data?.chains.length === 0 && (
        <div className="card">
          <EmptyState icon={<BoltIcon size={26} />} title={bundler.none}>
            {bundler.noneText}
          </EmptyState>
        </div>
      )}
      {data?.chains.map((chain) => (
        <ChainCard key={chain.chainId} chain={chain} projectLimit={data.projectLimitWei} />
      ))}
      <Operations key={round} />
    </Page>
  )
}
