import { toast } from '../errors/messages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import type { AuthenticationRequest, Cacao } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { authenticationOf, sessionOf } from './message.ts'

/**
 * Returns the message that a wallet signs with the pairing, so that connecting and signing in are one prompt.
 * Undefined without a sign-in, for networks of a namespace other than eip155, or when no message can be
 * created: the account then signs in after it is connected.
 */
export async function authenticationFor(
  hawser: Hawser,
  networks: readonly Network[],
): Promise<AuthenticationRequest | undefined> {
  const [first] = networks
  const isEvm = networks.every(({ chainNamespace }) => chainNamespace === 'eip155')
  if (!hawser.siwx || !first || !isEvm) return undefined
  try {
    const message = await hawser.siwx.createMessage({ chainId: first.caipNetworkId, accountAddress: '' })
    return authenticationOf(message)
  } catch (error) {
    hawser.log.write('warn', 'no sign-in message for the pairing', { error: errorMessage(error) })
    return undefined
  }
}

/**
 * Opens the sessions of the messages that a wallet signed with the pairing. When they are not accepted, the account
 * signs in after it is connected.
 */
export async function takeCacaos(hawser: Hawser, cacaos: readonly Cacao[] = []): Promise<void> {
  if (!hawser.siwx || cacaos.length === 0) return
  const sessions = (await Promise.all(cacaos.map(sessionOf))).flatMap((session) => session ?? [])
  if (sessions.length === 0) return
  hawser.report({ kind: 'authenticating', ...toast('authenticating') })
  try {
    await hawser.siwx.setSessions(sessions)
  } catch (error) {
    hawser.log.write('warn', 'the sign-in of the pairing was not accepted', { error: errorMessage(error) })
  }
  hawser.report({ kind: 'authenticated' })
}
