import { GatewayError } from '@hawser/client'
import { isSmartAccount } from '../account/account.ts'
import { selectAccount } from '../chain/selectors.ts'
import { toast } from '../errors/messages.ts'
import { failure } from '../errors/thrownMessages.ts'
import { isUserRejection, walletFailureMessage } from '../errors/walletFailure.ts'
import { namesClient } from '../gateway/clients.ts'
import { reportName } from '../modal/nameFlows.ts'
import type { NameProperties } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'
import { coinTypeOf } from './coinType.ts'
import { takeName } from './identity.ts'
import { forgetOwnNames } from './ownNames.ts'
import { refusalOf } from './refusal.ts'
import { activeSigner, NameError, type Signer, signText } from './signText.ts'
import { suggestNames } from './suggest.ts'

interface Registration {
  readonly name: string
  readonly signer: Signer
  readonly coinType: number
  readonly properties: NameProperties
}

/**
 * Registers a name for the active account: reports when it starts, and when the wallet or the gateway refuses.
 *
 * @param name the whole name of a suggestion.
 * @returns whether the account has the name now.
 * @throws NameError, or RangeError "Invalid chainId" on a chain without a coin type.
 */
export async function registerName(hawser: Hawser, name: string): Promise<boolean> {
  const registration = requireReady(hawser, name)
  hawser.report({ kind: 'failureEnded' })
  const latest = hawser.latest.begin('names:order')
  const { isCurrent } = latest
  hawser.names.setState({ status: 'signing', name, error: undefined, isDeclined: false, signing: undefined })
  reportName(hawser, { kind: 'registrationStarted' })
  hawser.events.emit({ event: 'REGISTER_NAME_INITIATED', properties: registration.properties })
  try {
    const intent = { action: 'register', name } as const
    const signed = await signText(hawser, registration.signer, registration.coinType, intent, {
      latest,
      onStatement: (signing) => hawser.names.setState({ signing }),
    })
    // Cancelled by the visitor or by a change of account.
    if (!isCurrent()) return false
    hawser.names.setState({ status: 'registering' })
    await (await namesClient(hawser)).registerName(signed)
  } catch (error) {
    if (error !== latest.signal.reason) fail(hawser, registration, error, isCurrent())
    return false
  }
  succeed(hawser, registration, isCurrent())
  return true
}

/** Stops waiting for the wallet, as when its prompt was lost. A later signature registers nothing. */
export function stopRegistration(hawser: Hawser): void {
  if (hawser.names.getState().status !== 'signing') return
  hawser.latest.abandon('names:order')
  hawser.names.setState({ status: 'draft', name: undefined })
}

/**
 * Returns the registration of a name, ready to be signed.
 *
 * @throws NameError, RangeError
 */
function requireReady(hawser: Hawser, name: string): Registration {
  const signer = activeSigner(hawser)
  const { network } = signer
  if (selectAccount(hawser.chain.getState()).profileName) throw new NameError('The account has a name')
  const { status } = hawser.names.getState()
  if (status === 'signing' || status === 'registering')
    throw new NameError('A name is already being registered')
  return {
    name,
    signer,
    coinType: coinTypeOf(Number(network.id)),
    properties: { network: network.caipNetworkId, isSmartAccount: isSmartAccount(hawser), ensName: name },
  }
}

/** @param isCurrent false when the form was cleared meanwhile. */
function succeed(hawser: Hawser, { name, signer, properties }: Registration, isCurrent: boolean): void {
  forgetOwnNames(hawser)
  takeName(hawser, signer.address, name)
  hawser.events.emit({ event: 'REGISTER_NAME_SUCCESS', properties })
  if (!isCurrent) return
  hawser.names.setState({ status: 'registered' })
  reportName(hawser, { kind: 'registrationSucceeded', ...toast('nameRegistered') })
}

function fail(hawser: Hawser, { properties }: Registration, error: unknown, isCurrent: boolean): void {
  const isDeclined = isUserRejection(error)
  const message = isDeclined
    ? toast('signatureDeclined')
    : walletFailureMessage(error, refusalOf(error) ?? failure('nameRegistrationFailed'))
  const detail = (error instanceof GatewayError && error.text) || message.message
  hawser.events.emit({ event: 'REGISTER_NAME_ERROR', properties: { ...properties, error: detail } })
  if (!isCurrent) return
  hawser.names.setState({
    status: 'draft',
    name: undefined,
    error: isDeclined ? undefined : message,
    isDeclined,
  })
  reportName(hawser, { kind: 'registrationFailed', ...message, isDeclined })
  // The name may have been registered by another account meanwhile.
  if (error instanceof GatewayError) void suggestNames(hawser)
}
