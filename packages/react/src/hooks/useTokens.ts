import { fetchTokenBalance, selectAccount, type TokenBalance } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

export interface Tokens {
  tokens: readonly TokenBalance[]
  isLoading: boolean
  /** False until the first answer for this account and network. */
  isLoaded: boolean
  /** Reads the balances again. Never rejects: a failure is shown in a toast. */
  refresh: () => Promise<readonly TokenBalance[]>
}

/** The tokens of the active account on the active network. */
export function useTokens(): Tokens {
  const hawser = useHawser()
  const account = useHawserState(hawser.chain, (state) => selectAccount(state))
  const refresh = useCallback(() => fetchTokenBalance(hawser), [hawser])
  return {
    tokens: account.tokenBalance,
    isLoading: account.tokenBalanceLoading,
    isLoaded: account.tokenBalanceLoaded,
    refresh,
  }
}
