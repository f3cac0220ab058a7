import { pushView } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useTexts } from '../../locale/useTexts.ts'

/** Shown in place of balances and history on a network that the gateway does not serve. */
export function NetworkNotServed() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  return (
    <EmptyState
      icon={<AlertIcon size={26} />}
      title={texts.account.notServedTitle}
      data-testid="network-not-served"
      action={
        <Button size="small" onClick={() => pushView(hawser, 'Networks')}>
          {texts.unsupportedChain.title}
        </Button>
      }
    >
      {texts.account.notServedText(network?.name ?? '')}
    </EmptyState>
  )
}
