import {
  isPaying,
  isSwapOffered,
  openOnramp,
  openSend,
  openSwap,
  pushView,
  type WalletFeature,
} from '@hawser/core'
import { CardIcon, ReceiveIcon, SendIcon, SwapIcon } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetworkServed } from '../../hooks/useNetworkServed.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'

interface Action {
  label: string
  icon: ReactNode
  run: () => void
}

/**
 * The actions of the account, in the site's order. Features without an entry are not actions of the account.
 */
export function AccountActions() {
  const texts = useTexts()
  const hawser = useHawser()
  const features = useHawserState(hawser.options, (options) => options.features)
  const isOnrampOffered = useOnrampOffered()
  const canPay = isPaying(useAccount())
  const served = useHawserState(hawser.served, (state) => state)
  const isServed = useNetworkServed()
  const canSwap = useHawserState(
    hawser.chain,
    (chain) => chain.activeChain === 'eip155' && isSwapOffered(chain, served),
  )
  const actions: Partial<Record<WalletFeature, Action>> = {
    ...(isOnrampOffered && {
      onramp: { label: texts.account.buy, icon: <CardIcon size={22} />, run: () => openOnramp(hawser) },
    }),
    ...(canPay &&
      isServed && {
        send: { label: texts.account.send, icon: <SendIcon size={22} />, run: () => openSend(hawser) },
      }),
    ...(canSwap && {
      swaps: { label: texts.account.swap, icon: <SwapIcon size={22} />, run: () => openSwap(hawser) },
    }),
    receive: {
      label: texts.account.receive,
      icon: <ReceiveIcon size={22} />,
      run: () => pushView(hawser, 'WalletReceive'),
    },
  }
  const shown = features.walletFeaturesOrder.filter((feature) => features[feature] && actions[feature])
  if (shown.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be for form fields
    <div
      role="group"
      className="hw-actions"
      aria-label={texts.account.actions}
      data-testid="w3m-account-wallet-features-widget"
    >
      {shown.map((feature) => {
        const action = actions[feature]
        return (
          action && (
            <button
              key={feature}
              type="button"
              className="hw-action"
              data-testid={`wallet-features-${feature}-button`}
              onClick={action.run}
            >
              <span className="hw-action-icon">{action.icon}</span>
              {action.label}
            </button>
          )
        )
      })}
    </div>
  )
}
