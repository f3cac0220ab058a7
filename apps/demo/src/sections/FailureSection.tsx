import { Switch } from '@hawser/ui'
import { useState } from 'react'
import type { GatewayMode, WalletFailure } from '../lab/flags.ts'
import { useLab } from '../lab/LabContext.ts'
import { Panel } from '../page/Panel.tsx'
import { Segmented } from '../page/Segmented.tsx'

const gatewayModes = ['online', 'slow', 'offline'] as const
const failures: readonly (readonly [WalletFailure, string])[] = [
  ['connect', 'Dev wallet declines to connect'],
  ['switch', 'Dev wallet declines to switch'],
  ['sign', 'Dev wallet declines to sign'],
  ['send', 'Dev wallet declines to send'],
  ['disconnect', 'Dev wallet fails to disconnect'],
]

/** Breaks the gateway or the wallet on purpose. */
export function FailureSection() {
  const { gatewayFault, flags } = useLab()
  const [mode, setMode] = useState(gatewayFault.mode)

  function choose(chosen: GatewayMode) {
    gatewayFault.mode = chosen
    setMode(chosen)
  }
  return (
    <Panel title="Failures" hint="Make requests fail and see how the modal reports it.">
      <Segmented label="Gateway" value={mode} options={gatewayModes} onChange={choose} />
      <div className="switches">
        {failures.map(([failure, label]) => (
          <FailureSwitch key={failure} failure={failure} label={label} />
        ))}
      </div>
      <p className="aside">
        {flags.mockWallet ? (
          <a href="?">Remove the mock wallet</a>
        ) : (
          <>
            Also: <a href="?mock=1">a wallet without keys</a>, or{' '}
            <a href="?unsupported=1">one on an unlisted network</a>.
          </>
        )}
      </p>
    </Panel>
  )
}

function FailureSwitch({ failure, label }: { failure: WalletFailure; label: string }) {
  const { walletFault } = useLab()
  const [failing, setFailing] = useState(walletFault.isFailing(failure))
  return (
    <Switch
      label={label}
      checked={failing}
      data-testid={`failure-${failure}`}
      onChange={(on) => {
        walletFault.set(failure, on)
        setFailing(on)
      }}
    />
  )
}
