import { errorMessage, formatUnits, type SmartSessionGrant, shortenAddress } from '@hawser/core'
import { useAccount, useHawser, useHawserState, useSmartSessions } from '@hawser/react'
import { Button } from '@hawser/ui'
import { useState } from 'react'
import { useLab } from '../lab/LabContext.ts'
import { Panel } from '../page/Panel.tsx'
import { pay, siteKey } from './sessionWallet.ts'

/** Account of the shop that sells coffee. */
const SHOP = '0x00000000000000000000000000000000C0Ffee00'
/** Wei. */
const PRICE = 3n * 10n ** 15n
const ALLOWANCE = 10n ** 16n
const WEEK_SECONDS = 604_800

type Outcome =
  | { status: 'idle' | 'granting' | 'paying' }
  | { status: 'paid'; hash: string }
  | { status: 'failed'; message: string }

/** Buys coffee from an allowance: the wallet approves once, then this page pays with its own key. */
export function CoffeeSection() {
  const hawser = useHawser()
  const { config } = useLab()
  const { address, isConnected } = useAccount()
  const { grant, createSubscription } = useSmartSessions()
  const isOn = useHawserState(hawser.options, ({ features }) => features.smartSessions)
  const [granted, setGranted] = useState<SmartSessionGrant>()
  const [outcome, setOutcome] = useState<Outcome>({ status: 'idle' })
  const isOwn = granted?.address === address

  async function attempt(status: 'granting' | 'paying', task: () => Promise<Outcome>) {
    setOutcome({ status })
    try {
      setOutcome(await task())
    } catch (error) {
      setOutcome({ status: 'failed', message: errorMessage(error) })
    }
  }

  const requestAllowance = () =>
    attempt('granting', async () => {
      const { key } = await siteKey()
      const expiry = Math.floor(Date.now() / 1_000) + WEEK_SECONDS
      setGranted(await grant(createSubscription({ key, amount: ALLOWANCE, interval: '1d', expiry })))
      return { status: 'idle' }
    })

  const buy = () =>
    attempt('paying', async () => {
      if (!granted) return { status: 'idle' }
      const { address: from, chainId, context } = granted
      return {
        status: 'paid',
        hash: await pay(config, await siteKey(), { from, chainId, context, to: SHOP, value: PRICE }),
      }
    })

  const price = `${formatUnits(PRICE, 18)} ETH`
  const allowance = `${formatUnits(ALLOWANCE, 18)} ETH`
  return (
    <Panel
      title="A coffee a day"
      hint={`useSmartSessions: spend up to ${allowance} a day for a week, ${price} a cup, without asking the wallet.`}
    >
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!isConnected || !isOn}
          loading={outcome.status === 'granting'}
          data-testid="coffee-grant-button"
          onClick={requestAllowance}
        >
          Request an allowance
        </Button>
        <Button
          size="small"
          disabled={!granted || !isOwn}
          loading={outcome.status === 'paying'}
          data-testid="coffee-buy-button"
          onClick={buy}
        >
          Buy a coffee
        </Button>
      </div>
      {granted && isOwn && (
        <p className="aside" data-testid="coffee-session">
          Session <code>{granted.context}</code>
        </p>
      )}
      {outcome.status === 'paid' && (
        <p className="output" data-testid="coffee-paid">
          Paid in <code>{shortenAddress(outcome.hash)}</code>
        </p>
      )}
      {outcome.status === 'failed' && (
        <p className="output output-error" role="alert" data-testid="coffee-error">
          {outcome.message}
        </p>
      )}
    </Panel>
  )
}
