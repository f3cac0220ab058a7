import { fetchTokenBalance, selectAccount, type TokenBalance } from '@hawser/core'
import { useCallback } from 'react'
import type { NamespaceOptions } from './useAccount.ts'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useTokens` returns. */
export interface Tokens {
  tokens: readonly TokenBalance[]
  isLoading: boolean
  /** False until the first answer for this account and network. */
  isLoaded: boolean
  /** Whether the account holds more tokens than are listed. */
  isPartial: boolean
  /** Reads the balances of the active account again. Never rejects: a failure is shown in a toast. */
  refresh: () => Promise<readonly TokenBalance[]>
}

/**
 * Returns the tokens of the account of a namespace, on its network. For a namespace that is not active, they
 * are those that were read last.
 */
export function useTokens({ namespace }: NamespaceOptions = {}): Tokens {
  const hawser = useHawser()
  const account = useHawserState(hawser.chain, (state) => selectAccount(state, namespace))
  const refresh = useCallback(() => fetchTokenBalance(hawser), [hawser])
  return {
    tokens: account.tokenBalance,
    isLoading: account.tokenBalanceLoading,
    isLoaded: account.tokenBalanceLoaded,
    isPartial: account.isTokenBalancePartial,
    refresh,
  }
}
