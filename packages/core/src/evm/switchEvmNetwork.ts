import { chainErrorCode } from '../errors/chainErrorCode.ts'
import { walletErrorCode } from '../errors/walletFailure.ts'
import type { Network } from '../types/network.ts'
import type { Eip1193Provider } from '../types/providers.ts'
import { hexChainId, networkOfWallet } from './chainId.ts'

/** Switches the wallet's network (EIP-3326). A chain that the wallet does not know is added first (EIP-3085). */
export async function switchEvmNetwork(provider: Eip1193Provider, network: Network): Promise<void> {
  try {
    await askToSwitch(provider, network)
  } catch (error) {
    if (walletErrorCode(error) !== chainErrorCode.unrecognisedChain) throw error
    await addNetwork(provider, network)
    if (!(await isOn(provider, network))) await askToSwitch(provider, network)
  }
}

function askToSwitch(provider: Eip1193Provider, { id }: Network): Promise<unknown> {
  return provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexChainId(id) }] })
}

function addNetwork(provider: Eip1193Provider, network: Network): Promise<unknown> {
  const explorer = network.blockExplorers?.default.url
  return provider.request({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: hexChainId(network.id),
        chainName: network.name,
        nativeCurrency: network.nativeCurrency,
        rpcUrls: network.rpcUrls.default.http,
        ...(explorer && { blockExplorerUrls: [explorer] }),
      },
    ],
  })
}

async function isOn(provider: Eip1193Provider, network: Network): Promise<boolean> {
  return (await networkOfWallet(provider)) === network.caipNetworkId
}
