import { adapterOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { requireNetworkOf, selectAccount } from '../chain/selectors.ts'
import { thrown } from '../errors/thrown.ts'
import { failure, MessageError } from '../errors/thrownMessages.ts'
import { reportLogin } from '../modal/loginFlows.ts'
import { items } from '../storage/items.ts'
import type { EmbeddedAccountType } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { loginMessage } from './loginMessage.ts'
import { requireEmbedded } from './wallet.ts'

/**
 * Switches the embedded wallet to another type of account: in the wallet, then in storage, and connects again. A
 * failure is reported, and what was chosen before stays.
 *
 * @throws Error "Address or auth connector not found" when no embedded wallet is connected.
 */
export async function setPreferredAccountType(
  hawser: Hawser,
  type: EmbeddedAccountType,
  namespace: Namespace = hawser.chain.getState().activeChain,
): Promise<void> {
  const connector = requireEmbedded(hawser)
  const { address, preferredAccountTypes: before } = selectAccount(hawser.chain.getState(), namespace)
  const isConnected = hawser.sessions.get(namespace)?.connectorId === connector.id
  if (!address || !isConnected) throw new Error(thrown.addressOrAuthNotFound)
  const types = { ...before, [namespace]: type }
  reportLogin(hawser, { kind: 'accountTypeChanging', isPending: true, namespace })
  updateAccount(hawser.chain, namespace, { preferredAccountTypes: types })
  try {
    const wallet = await connector.getEmbeddedWallet()
    await wallet.setPreferredAccount(type)
    hawser.storage.write(items.preferredAccountTypes, types)
    const adapter = await adapterOf(hawser, namespace)
    const network = requireNetworkOf(hawser.chain.getState(), namespace)
    const session = await adapter.reconnect(connector, network)
    if (!session) throw new MessageError(failure('connectFailed'))
    hawser.sessions.open({ connector, session })
  } catch (error) {
    updateAccount(hawser.chain, namespace, { preferredAccountTypes: before })
    hawser.storage.write(items.preferredAccountTypes, before)
    reportLogin(hawser, { kind: 'loginFailed', ...loginMessage(error) })
    return
  } finally {
    reportLogin(hawser, { kind: 'accountTypeChanging', isPending: false, namespace })
  }
  const network = hawser.chain.getState().activeCaipNetwork?.caipNetworkId ?? namespace
  hawser.events.emit({ event: 'SET_PREFERRED_ACCOUNT_TYPE', properties: { accountType: type, network } })
}
