import { errorMessage, openSend, parseUnits } from '@hawser/core'
import { useAccount, useHawser, useNetwork, useWalletProvider } from '@hawser/react'
import { Button, CopyButton, TextField } from '@hawser/ui'
import { useState } from 'react'
import { useLab } from '../lab/LabContext.ts'
import { Panel } from '../page/Panel.tsx'

type Outcome =
  | { status: 'idle' | 'asking' }
  | { status: 'sent'; hash: string }
  | { status: 'failed'; message: string }

/** Sends through the modal, or straight through the wallet's provider. */
export function SendSection() {
  const hawser = useHawser()
  const { config } = useLab()
  const { address, isConnected } = useAccount()
  const { network } = useNetwork()
  const provider = useWalletProvider()
  const others = config.devnet?.accounts.filter((account) => account.address !== address) ?? []
  const [receiver, setReceiver] = useState(config.devnet?.accounts[1]?.address ?? '')
  const [amount, setAmount] = useState('0.01')
  const [outcome, setOutcome] = useState<Outcome>({ status: 'idle' })

  async function send() {
    if (!provider) return
    setOutcome({ status: 'asking' })
    try {
      const value = `0x${parseUnits(amount, network?.nativeCurrency.decimals ?? 18).toString(16)}`
      const hash = await provider.request({
        method: 'eth_sendTransaction',
        params: [{ from: address, to: receiver, value, data: '0x' }],
      })
      setOutcome({ status: 'sent', hash: String(hash) })
    } catch (error) {
      setOutcome({ status: 'failed', message: errorMessage(error) })
    }
  }

  return (
    <Panel title="Send" hint="Through the modal, or with eth_sendTransaction through the wallet.">
      <TextField
        label="To"
        labelStyle="above"
        value={receiver}
        placeholder="0x…"
        list="receivers"
        data-testid="send-receiver-input"
        end={receiver && <CopyButton text={receiver} label="Copy receiver" />}
        onChange={(event) => setReceiver(event.target.value.trim())}
      />
      <datalist id="receivers">
        {others.map((account) => (
          <option key={account.address} value={account.address} />
        ))}
      </datalist>
      <TextField
        label={`Amount in ${network?.nativeCurrency.symbol ?? 'the native token'}`}
        labelStyle="above"
        inputMode="decimal"
        value={amount}
        data-testid="send-raw-amount-input"
        onChange={(event) => setAmount(event.target.value)}
      />
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!isConnected}
          data-testid="open-send-button"
          onClick={() => openSend(hawser)}
        >
          Open Send
        </Button>
        <Button
          size="small"
          disabled={!isConnected}
          loading={outcome.status === 'asking'}
          data-testid="send-raw-button"
          onClick={send}
        >
          Send directly
        </Button>
      </div>
      {outcome.status === 'sent' && (
        <div className="output">
          <code data-testid="send-raw-hash">{outcome.hash}</code>
          <CopyButton text={outcome.hash} label="Copy transaction hash" />
        </div>
      )}
      {outcome.status === 'failed' && (
        <p className="output output-error" role="alert">
          {outcome.message}
        </p>
      )}
    </Panel>
  )
}
