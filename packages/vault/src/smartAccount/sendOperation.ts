import type { Hex } from 'viem'
import type { Sign } from '../keys/signer.ts'
import type { AccountsClient } from './accountsClient.ts'
import type { PreparedOperation } from './prepareOperation.ts'
import { sponsorAsShown } from './sponsorship.ts'
import { authorizationJson, operationTypedData, type UserOperation } from './userOperation.ts'

/** Signs and sends an operation, as `SmartAccounts.send` does. */
export async function sendOperation(
  client: AccountsClient,
  { chain, code, operation, delegate, authorizationNonce }: PreparedOperation,
  sign: Sign,
  id = '',
): Promise<string> {
  const chainId = Number(String(chain.chainId).slice('eip155:'.length))
  const entryPoint = chain.entryPoint as Hex
  const { eip7702Auth: _, ...rest } = operation
  let final: UserOperation = rest
  if (delegate) {
    const authorization = { chainId, address: delegate, nonce: authorizationNonce }
    const signature = await sign({ kind: 'authorization', authorization })
    final = { ...rest, eip7702Auth: authorizationJson(authorization, signature as Hex) }
  }
  if (final.paymaster) final = await sponsorAsShown(client, chain, final)
  const data = operationTypedData(final, chainId, entryPoint, code)
  final = { ...final, signature: (await sign({ kind: 'typedData', data })) as Hex }
  const sent = await client.bundler.call('SendCalls', {
    chainId: String(chain.chainId),
    account: operation.sender,
    id,
    entryPoint,
    userOperation: final,
  })
  return sent.id ?? id
}
