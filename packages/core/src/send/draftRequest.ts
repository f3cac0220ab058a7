import { formatUnits, tokenDecimals } from '../amounts/units.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { selectAccount } from '../chain/selectors.ts'
import { unknownNetwork } from '../network/network.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { isNativeToken } from './amount.ts'
import { selectSendToken, setSendAmount } from './edit.ts'
import { readPaymentUri } from './paymentUri.ts'

/**
 * Sets the token and the amount of a payment request. The draft of an NFT takes only the receiver.
 *
 * @returns the receiver, an address or a name; undefined when the request cannot be drafted, whose reason is in the state if
 *   it is a payment.
 */
export function draftRequest(hawser: Hawser, uri: string): string | undefined {
  const request = readPaymentUri(uri)
  const network = hawser.chain.getState().activeCaipNetwork
  if (!request || !network) return undefined
  const { namespace, caipNetworkId, receiver, token, amount } = request
  if (namespace !== network.chainNamespace) return refuseNamespace(hawser, namespace)
  if (caipNetworkId && caipNetworkId !== network.caipNetworkId) return refuseNetwork(hawser, caipNetworkId)
  if (hawser.send.getState().nft) return token ? undefined : receiver
  const row = heldToken(hawser, token)
  if (!row) {
    hawser.send.setState({ receiverObjection: { kind: 'tokenNotHeld' } })
    return undefined
  }
  if (token !== undefined || amount !== undefined) selectSendToken(hawser, row)
  if (amount !== undefined) {
    const decimals = tokenDecimals(row.quantity.decimals)
    setSendAmount(hawser, typeof amount === 'bigint' ? formatUnits(amount, decimals) : amount)
  }
  return receiver
}

function refuseNamespace(hawser: Hawser, receiverKind: Namespace): undefined {
  hawser.send.setState({ receiverKind })
}

function refuseNetwork(hawser: Hawser, id: CaipNetworkId): undefined {
  const { name } = requestedNetwork(hawser, id) ?? unknownNetwork(id)
  hawser.send.setState({ receiverObjection: { kind: 'otherNetwork', network: name } })
}

/** Returns the balance of a token by its contract or mint, or of the native token. */
function heldToken(hawser: Hawser, token: string | undefined): TokenBalance | undefined {
  const rows = [
    ...hawser.send.getState().tokenBalances,
    ...selectAccount(hawser.chain.getState()).tokenBalance,
  ]
  if (token === undefined) return rows.find(isNativeToken)
  return rows.find(
    ({ address }) => address?.slice(address.lastIndexOf(':') + 1).toLowerCase() === token.toLowerCase(),
  )
}
