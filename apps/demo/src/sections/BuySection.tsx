import { type BuyArguments, openOnramp } from '@hawser/core'
import { useAccount, useHawser } from '@hawser/react'
import { Button, TextField } from '@hawser/ui'
import { useState } from 'react'
import { Panel } from '../page/Panel.tsx'

const fields = [
  ['token', 'Token', 'Symbol or address; ETH if empty'],
  ['amount', 'Amount to pay', '0'],
  ['currency', 'Currency', 'ISO 4217'],
] as const satisfies readonly (readonly [keyof BuyArguments, string, string])[]

/** Opens the purchase with what a site would pass along. */
export function BuySection() {
  const hawser = useHawser()
  const { isConnected } = useAccount()
  const [wanted, setWanted] = useState<BuyArguments>({ token: 'tUSD', amount: '100', currency: 'USD' })
  return (
    <Panel title="Buy" hint="Pay with a test card in the sandbox. No money moves; test tokens arrive.">
      {fields.map(([name, label, placeholder]) => (
        <TextField
          key={name}
          label={label}
          labelStyle="above"
          placeholder={placeholder}
          value={wanted[name] ?? ''}
          data-testid={`lab-buy-${name}`}
          onChange={(event) => setWanted({ ...wanted, [name]: event.target.value.trim() })}
        />
      ))}
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!isConnected}
          data-testid="open-onramp-button"
          onClick={() => openOnramp(hawser, wanted)}
        >
          Open Buy
        </Button>
      </div>
    </Panel>
  )
}
