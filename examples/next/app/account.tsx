'use client'

import { type HawserEvent, openSend } from '@hawser/core'
import { useAccount, useHawser, useHawserEvents, useNetwork } from '@hawser/react'
import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/** The account of the visitor, by hooks; the server renders it too. */
export function Account() {
  const hawser = useHawser()
  const { address, balance, balanceSymbol } = useAccount()
  const { network } = useNetwork()
  useRefreshOnSignIn()
  if (!address) return <h1>Not connected</h1>
  return (
    <>
      <h1>{network?.name}</h1>
      <p>{address}</p>
      <p>{balance && `${balance} ${balanceSymbol}`}</p>
      <button type="button" onClick={() => openSend(hawser)}>
        Send
      </button>
    </>
  )
}

/** Has the server render the page again once the visitor has signed in or out. */
function useRefreshOnSignIn(): void {
  const router = useRouter()
  const onEvent = useCallback(
    ({ event }: HawserEvent) => {
      if (event === 'SIWX_AUTH_SUCCESS' || event === 'DISCONNECT_SUCCESS') router.refresh()
    },
    [router],
  )
  useHawserEvents(onEvent)
}
