import { cancelSignIn, selectAccount, shortenAddress, signIn } from '@hawser/core'
import { AssetIcon, Avatar, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'

/** Returns the address of the page's icon, for a site that names none. */
function favicon(): string | undefined {
  return document.querySelector<HTMLLinkElement>('link[rel~="icon"][href]')?.href
}

/** Requests the signature that signs the active account in. */
export function ConnectingSiweView() {
  const texts = usePairingTexts().signIn
  const hawser = useHawser()
  const { status, isRequired } = useHawserState(hawser.signIn, (state) => state)
  const {
    address = '',
    profileName,
    profileImage,
  } = useHawserState(hawser.chain, (state) => selectAccount(state))
  const { name = location.host, icons = [] } = useHawserState(hawser.options, ({ metadata }) => metadata)
  const isSigning = status === 'signing'
  const isCancelling = status === 'cancelling'
  return (
    <div className="hw-pairing hw-sign-in">
      <div className="hw-sign-in-marks" aria-hidden="true">
        <AssetIcon name={name} src={icons[0] ?? favicon()} size={64} />
        <Avatar seed={address} src={profileImage} size={64} />
      </div>
      <div className="hw-waiting-text">
        <p className="hw-waiting-label">{texts.to(name)}</p>
        {address && (
          <p className="hw-sign-in-account">
            <bdi>{texts.account(profileName ?? shortenAddress(address))}</bdi>
          </p>
        )}
        <p className="hw-waiting-detail">{isRequired ? texts.textRequired : texts.text}</p>
      </div>
      <div className="hw-sign-in-actions">
        <Button
          wide
          loading={isCancelling}
          data-testid="w3m-connecting-siwe-cancel"
          onClick={() => void cancelSignIn(hawser)}
        >
          {isCancelling ? texts.cancelling : isRequired ? texts.cancel : texts.skip}
        </Button>
        <Button
          wide
          variant="primary"
          loading={isSigning || status === 'checking'}
          disabled={isCancelling}
          data-testid="w3m-connecting-siwe-sign"
          onClick={() => void signIn(hawser)}
        >
          {isSigning ? texts.signing : texts.sign}
        </Button>
      </div>
    </div>
  )
}
