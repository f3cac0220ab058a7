import { isNativeToken, type Network, type TokenBalance } from '@hawser/core'
import { Button, ChevronDownIcon, CopyButton } from '@hawser/ui'
import { useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'
import { AmountField } from '../amount/AmountField.tsx'
import { paymentUri } from './paymentUri.ts'

export interface RequestFormProps {
  network: Network
  address: string
  /** Receives the URI of the request; undefined while no amount is requested. */
  onChange: (uri: string | undefined) => void
}

/** The amount and the token to request, whose URI the code then holds; closed at first. */
export function RequestForm({ network, address, onChange }: RequestFormProps) {
  const texts = useOtherChainsTexts().request
  const [isOpen, setOpen] = useState(false)
  const [amount, setAmount] = useState('')
  const [token, setToken] = useState<TokenBalance>()
  const { tokenBalance } = useAccount()
  // BIP-21 names no token.
  const namesTokens = network.chainNamespace === 'solana'
  const tokens = namesTokens ? tokenBalance.filter((row) => !row.hidden && !isNativeToken(row)) : []
  const uri = paymentUri({ network, address, amount, token })

  function request(amount: string, token: TokenBalance | undefined) {
    setAmount(amount)
    setToken(token)
    onChange(paymentUri({ network, address, amount, token }))
  }

  if (!isOpen) {
    return (
      <Button variant="quiet" size="small" data-testid="receive-request-button" onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
    )
  }
  return (
    <div className="hw-request">
      <AmountField
        label={texts.amount}
        layout="slim"
        value={amount}
        onChange={(value) => request(value, token)}
        testIds={{ input: 'receive-request-amount' }}
        unit={
          <span className="hw-buy-select">
            <select
              aria-label={texts.token}
              value={token?.address ?? ''}
              data-testid="receive-request-token"
              onChange={({ target }) =>
                request(
                  amount,
                  tokens.find((row) => row.address === target.value),
                )
              }
            >
              <option value="">{network.nativeCurrency.symbol}</option>
              {tokens.map((row) => (
                <option key={row.address} value={row.address}>
                  {row.symbol}
                </option>
              ))}
            </select>
            <ChevronDownIcon size={16} />
          </span>
        }
      />
      {uri ? (
        <CopyButton text={uri} label={texts.copy} data-testid="receive-request-copy">
          <bdi className="hw-address-text">{uri}</bdi>
        </CopyButton>
      ) : (
        <p className="hw-note">{texts.note}</p>
      )}
    </div>
  )
}
