import { ChevronDownIcon } from '@hawser/ui'
import type { ReactNode } from 'react'

export interface TokenChoiceProps {
  token: { readonly symbol: string; readonly name: string } | undefined
  /** The picture of the token. */
  mark: ReactNode
  /** Says on which network the token is; empty without a token. */
  network?: string | undefined
  texts: { readonly selectToken: string; readonly changeToken: string }
  'data-testid': string
  onPress: () => void
}

/** The token of an amount, as a button that leads to others. */
export function TokenChoice({ token, mark, network, texts, onPress, ...rest }: TokenChoiceProps) {
  return (
    <button
      {...rest}
      type="button"
      className={network === undefined ? 'hw-token-choice' : 'hw-token-choice hw-token-choice-wide'}
      data-state={token ? 'chosen' : 'empty'}
      onClick={onPress}
    >
      {mark}
      <span className="hw-token-choice-name" title={token?.name} dir="auto">
        {token ? token.symbol : texts.selectToken}
      </span>
      {network && <span className="hw-token-choice-network">{network}</span>}
      {token && <span className="hw-visually-hidden">{texts.changeToken}</span>}
      <ChevronDownIcon size={16} />
    </button>
  )
}
