import { isPhone } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { Waiting } from '../../parts/Waiting.tsx'
import { useConnectAttempt } from './useConnectAttempt.ts'

/** Requests the accounts of the chosen wallet. */
export function ConnectingExternalView() {
  const texts = useTexts()
  const hawser = useHawser()
  const { walletTexts } = useCoreTexts()
  const connector = useHawserState(hawser.router, (state) => state.data?.connector)
  const { status, detail, retry } = useConnectAttempt(connector)
  const name = connector?.name ?? ''
  const mark = <AssetIcon name={name} src={connector?.imageUrl} size={80} shape="square" />

  if (status === 'declined') {
    return (
      <Waiting
        mark={mark}
        state="idle"
        label={walletTexts.declined}
        text={texts.connecting.declinedText}
        onRetry={retry}
      />
    )
  }
  if (status === 'failed') {
    return <Waiting mark={mark} state="error" label={texts.connecting.failed} text={detail} onRetry={retry} />
  }
  return (
    <Waiting
      mark={mark}
      state={status === 'connected' ? 'success' : 'active'}
      label={texts.connecting.continueIn(name)}
      text={texts.connecting.accept}
      help={isPhone() ? texts.connecting.helpOnPhone(name) : texts.connecting.help(name)}
      onRetry={retry}
    />
  )
}
