import { errorMessage } from '@hawser/core'
import { useAccount, useWalletProvider } from '@hawser/react'
import { Button, CopyButton, Tag, TextField } from '@hawser/ui'
import { useState } from 'react'
import { Panel } from '../page/Panel.tsx'

type Outcome =
  | { status: 'idle' | 'asking' }
  | { status: 'signed'; signature: string; valid: boolean }
  | { status: 'failed'; message: string }

/** Signs a text with the wallet and checks the signature. */
export function SignSection() {
  const { address } = useAccount()
  const provider = useWalletProvider()
  const [message, setMessage] = useState('Hello from the Hawser lab')
  const [last, setLast] = useState<{ address: string; outcome: Outcome }>()
  // An outcome is shown while its account is connected.
  const outcome: Outcome = last && last.address === address ? last.outcome : { status: 'idle' }

  async function sign() {
    if (!provider || !address) return
    const setOutcome = (outcome: Outcome) => setLast({ address, outcome })
    setOutcome({ status: 'asking' })
    try {
      const { stringToHex, verifyMessage } = await import('viem')
      const signature = (await provider.request({
        method: 'personal_sign',
        params: [stringToHex(message), address],
      })) as `0x${string}`
      const valid = await verifyMessage({ address: address as `0x${string}`, message, signature })
      setOutcome({ status: 'signed', signature, valid })
    } catch (error) {
      setOutcome({ status: 'failed', message: errorMessage(error) })
    }
  }

  return (
    <Panel
      title="Sign a message"
      hint="personal_sign through useWalletProvider; the signature is checked here."
    >
      <TextField
        label="Message"
        labelStyle="above"
        value={message}
        data-testid="sign-message-input"
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!address}
          loading={outcome.status === 'asking'}
          data-testid="sign-message-button"
          onClick={sign}
        >
          Sign message
        </Button>
        {outcome.status === 'signed' && (
          <Tag tone={outcome.valid ? 'success' : 'warning'}>
            {outcome.valid ? 'Signature valid' : 'Signed by another account'}
          </Tag>
        )}
      </div>
      {outcome.status === 'signed' && (
        <div className="output">
          <code data-testid="w3m-signature">{outcome.signature}</code>
          <CopyButton text={outcome.signature} label="Copy signature" />
        </div>
      )}
      {outcome.status === 'failed' && (
        <p className="output output-error" role="alert" data-testid="sign-message-error">
          {outcome.message}
        </p>
      )}
    </Panel>
  )
}
