import type { Hex } from 'viem'
import type { AccountsClient } from './accountsClient.ts'
import { BundlerError, INTERNAL_ERROR } from './bundlerClient.ts'
import type { AccountChain } from './bundlerTypes.ts'
import { toHex, type UserOperation } from './userOperation.ts'

/** The message for an operation whose account would pay more than was shown. */
export const FEE_TOO_HIGH = 'The network fee would be higher than the one that was approved'

/** Adds paymaster fields for the estimate of an operation; without a paymaster that pays, the operation is unchanged. */
export async function sponsorEstimate(
  client: AccountsClient,
  chain: AccountChain,
  operation: UserOperation,
): Promise<UserOperation> {
  try {
    return await sponsor(client, chain, operation, 'pm_getPaymasterStubData')
  } catch {
    return operation
  }
}

/** Adds the signature of the paymaster that was shown to pay. @throws BundlerError when another one, or none, would */
export async function sponsorAsShown(
  client: AccountsClient,
  chain: AccountChain,
  operation: UserOperation,
): Promise<UserOperation> {
  const sponsored = await sponsor(client, chain, operation, 'pm_getPaymasterData')
  if (sponsored.paymaster?.toLowerCase() === operation.paymaster?.toLowerCase()) return sponsored
  throw new BundlerError(INTERNAL_ERROR, FEE_TOO_HIGH)
}

async function sponsor(
  { bundler }: AccountsClient,
  { chainId, entryPoint, paymaster }: AccountChain,
  operation: UserOperation,
  method: 'pm_getPaymasterStubData' | 'pm_getPaymasterData',
): Promise<UserOperation> {
  if (!paymaster) return operation
  const number = toHex(BigInt(String(chainId).slice('eip155:'.length)))
  const fields = (await bundler.rpc(String(chainId), method, [operation, entryPoint, number, {}])) as {
    paymaster: Hex
    paymasterData: Hex
    paymasterVerificationGasLimit?: Hex
    paymasterPostOpGasLimit?: Hex
  }
  return {
    ...operation,
    paymaster: fields.paymaster,
    paymasterData: fields.paymasterData,
    paymasterVerificationGasLimit: fields.paymasterVerificationGasLimit ?? '0x0',
    paymasterPostOpGasLimit: fields.paymasterPostOpGasLimit ?? '0x0',
  }
}
