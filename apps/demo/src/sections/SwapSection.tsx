import { openSwap, type SwapArguments } from '@hawser/core'
import { useAccount, useHawser } from '@hawser/react'
import { Button, TextField } from '@hawser/ui'
import { useState } from 'react'
import { useLab } from '../lab/LabContext.ts'
import { Panel } from '../page/Panel.tsx'

const fields = [
  ['fromToken', 'Sell', 'Symbol or address; native currency if empty'],
  ['toToken', 'Buy', 'Symbol or address'],
  ['amount', 'Amount to sell', '0'],
] as const satisfies readonly (readonly [keyof SwapArguments, string, string])[]

/** Opens the swap with what a site would pass along. */
export function SwapSection() {
  const hawser = useHawser()
  const { config, flags } = useLab()
  const { isConnected } = useAccount()
  const [wanted, setWanted] = useState<SwapArguments>({ fromToken: 'ETH', toToken: 'tUSD', amount: '0.1' })
  return (
    <Panel
      title="Swap"
      hint="Opens the modal with these values. Swaps use pools on this chain, without a third party."
    >
      {fields.map(([name, label, placeholder]) => (
        <TextField
          key={name}
          label={label}
          labelStyle="above"
          placeholder={placeholder}
          value={wanted[name] ?? ''}
          data-testid={`lab-swap-${name}`}
          onChange={(event) => setWanted({ ...wanted, [name]: event.target.value.trim() })}
        />
      ))}
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!isConnected}
          data-testid="open-swap-button"
          onClick={() => openSwap(hawser, wanted)}
        >
          Open Swap
        </Button>
        <Button
          size="small"
          disabled={!isConnected}
          data-testid="open-empty-swap-button"
          onClick={() => openSwap(hawser)}
        >
          Open empty
        </Button>
      </div>
      {config.devnet && (
        <p className="aside">
          {flags.smart ? (
            <>
              The Dev wallet approves and swaps in one go. <a href="?">Start with a plain account</a>
            </>
          ) : (
            <>
              The Dev wallet approves first, then swaps. <a href="?smart=1">Start with a smart account</a>
            </>
          )}
        </p>
      )}
    </Panel>
  )
}
