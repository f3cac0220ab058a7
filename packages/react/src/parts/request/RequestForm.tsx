import { isNativeToken, type Network, type TokenBalance } from '@hawser/core'
import { Button, ChevronDownIcon, CopyButton, TextField } from '@hawser/ui'
import { useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'
import { AmountNote } from '../amount/AmountNote.tsx'
import { useTypedAmount } from '../amount/useTypedAmount.ts'
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
  const typed = useTypedAmount(amount, (value) => request(value, token))

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
      <TextField
        label={texts.amount}
        inputMode="decimal"
        placeholder="0"
        value={typed.text}
        aria-invalid={typed.isUnread || undefined}
        data-testid="receive-request-amount"
        onChange={({ target }) => typed.onType(target.value)}
        end={
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
      <AmountNote typed={typed} />
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
