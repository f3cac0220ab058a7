import { type CaipNetworkId, requestedNetwork, shortenAddress, transactionExplorerUrl } from '@hawser/core'
import { CopyButton, ExternalIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'
import { Fact } from './Fact.tsx'

export interface HashFactProps {
  hash: string
  testId: string
}

/** The hash of a transaction, to copy, in a list of facts. */
export function HashFact({ hash, testId }: HashFactProps) {
  const texts = useTexts().transaction
  return (
    <Fact name={texts.hash}>
      <CopyButton text={hash} label={texts.copyHash} data-testid={testId}>
        <bdi className="hw-mono">{shortenAddress(hash)}</bdi>
      </CopyButton>
    </Fact>
  )
}

export interface ExplorerLinkProps extends HashFactProps {
  /** CAIP-2. */
  chainId: string
}

/** A link to a transaction on the block explorer of its network; renders nothing when the site names none. */
export function ExplorerLink({ chainId, hash, testId }: ExplorerLinkProps) {
  const texts = useTexts().transaction
  const network = requestedNetwork(useHawser(), chainId as CaipNetworkId)
  const explorer = network?.blockExplorers?.default
  if (!explorer) return null
  return (
    <a
      className="hw-link"
      href={transactionExplorerUrl(network, hash)}
      target="_blank"
      rel="noopener noreferrer"
      data-testid={testId}
    >
      {texts.explorer(explorer.name)}
      <ExternalIcon size={16} />
    </a>
  )
}
