import { isAddress } from 'viem/utils'
import type { FeeTerms, SendTerms, TransferDraft, Transfers } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import { chainIdIn, requireNetwork } from './chainId.ts'
import { hexQuantity, transferCall, words } from './evmCalls.ts'
import { transactionHash } from './walletAnswers.ts'

/** OP-stack contract that prices the data on the base chain; it has no code on other chains. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
/** `getL1FeeUpperBound(uint256)`: size of the signed transaction in bytes to wei. */
const FEE_BOUND_SELECTOR = '0xf1c7a58b'
const SIGNED_TRANSFER_BYTES = 200n

/** Estimates gas and moves tokens on EVM chains. */
export const evmTransfers: Transfers<'eip155'> = {
  isAddress: (text) => isAddress(text),
  call: transferCall,

  async quote({ node }, draft, { signal } = {}) {
    const { to, data, value } = transferCall(draft)
    const call = { from: draft.from, to, data, value: hexQuantity(value) }
    const [price, limit, dataFee] = await Promise.all([
      node('eth_gasPrice', [], signal),
      node('eth_estimateGas', [call], signal),
      rollupFee(node, signal),
    ])
    const [gasPrice, gasLimit] = [BigInt(price as string), BigInt(limit as string)]
    return {
      amount: gasPrice * gasLimit + dataFee,
      terms: { namespace: 'eip155', gasPrice, gasLimit, dataFee },
    }
  },

  async send({ provider }, draft, terms) {
    await requireNetwork(provider, terms.caipNetworkId)
    const params = [transaction(draft, terms)]
    return transactionHash(await provider.request({ method: 'eth_sendTransaction', params }))
  },
}

function transaction(draft: TransferDraft, { caipNetworkId, fee }: SendTerms) {
  const { to, data, value } = transferCall(draft)
  if (!isAddress(to, { strict: false })) throw new TypeError('The transfer calls no contract')
  return {
    from: draft.from,
    to,
    data,
    value: hexQuantity(value),
    chainId: chainIdIn(caipNetworkId),
    ...(fee && !draft.tokenAddress && !draft.nft && gasFields(fee.terms)),
  }
}

/** Wallets estimate the gas of contract calls themselves; that of a native transfer bounds what Max leaves. */
function gasFields(terms: FeeTerms) {
  if (terms.namespace !== 'eip155') return undefined
  return { gasPrice: hexQuantity(terms.gasPrice), gas: hexQuantity(terms.gasLimit) }
}

async function rollupFee(node: NodeRequest, signal: AbortSignal | undefined): Promise<bigint> {
  const data = FEE_BOUND_SELECTOR + words(SIGNED_TRANSFER_BYTES)
  const answer = await node('eth_call', [{ to: GAS_PRICE_ORACLE, data }, 'latest'], signal).catch(() => '0x')
  return typeof answer === 'string' && answer.length === 66 ? BigInt(answer) : 0n
}
