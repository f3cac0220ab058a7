import {
  isPhone,
  type Message,
  type Network,
  SwitchNetworkError,
  switchNetwork,
  thrownMessage,
} from '@hawser/core'
import { AssetIcon } from '@hawser/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useCoreTexts, useMessages } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { Waiting } from '../../parts/Waiting.tsx'

/** Requests that the wallet switches its network; on success core leaves this view. */
export function SwitchNetworkView() {
  const texts = useTexts()
  const hawser = useHawser()
  const { walletTexts } = useCoreTexts()
  const messages = useMessages()
  const network = useHawserState(hawser.router, (state) => state.data?.network)
  const [failure, setFailure] = useState<Failure>()

  const attempt = useCallback(async () => {
    if (!network) return
    setFailure(undefined)
    try {
      await switchNetwork(hawser, { network })
    } catch (error) {
      setFailure(failureOf(error))
    }
  }, [hawser, network])

  // Strict mode runs effects twice; the wallet must get one request.
  const asked = useRef<Network>(undefined)
  useEffect(() => {
    if (asked.current === network) return
    asked.current = network
    void attempt()
  }, [network, attempt])

  const name = network?.name ?? ''
  const { activeCaipNetwork: before } = useHawserState(hawser.chain, (state) => state)
  const waiting = {
    mark: network ? <NetworkMark network={network} size={80} /> : <AssetIcon name={name} size={80} />,
    shape: 'circle',
    onRetry: attempt,
  } as const
  if (!failure) {
    return (
      <Waiting
        {...waiting}
        state="active"
        label={texts.switchNetwork.approve}
        text={texts.switchNetwork.accept(name)}
        help={isPhone() ? texts.switchNetwork.helpOnPhone : texts.switchNetwork.help}
      />
    )
  }
  if (failure.isDeclined) {
    return (
      <Waiting
        {...waiting}
        state="idle"
        label={walletTexts.declined}
        text={texts.switchNetwork.declinedText(before?.name ?? '')}
      />
    )
  }
  return <Waiting {...waiting} state="error" label={texts.switchNetwork.failed} text={messages(failure)} />
}

/** The actions after a failure. */
interface Failure extends Message {
  readonly isDeclined: boolean
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof SwitchNetworkError)) return { isDeclined: false, ...thrownMessage('switchFailed') }
  const { kind, message, key, values } = error
  return { isDeclined: kind === 'rejected', message, key, values }
}
