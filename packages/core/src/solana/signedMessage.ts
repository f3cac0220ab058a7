import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import { WalletError } from '../errors/walletFailure.ts'

/** Programs of instructions that wallets add: the fee, and assertions about the outcome that move nothing. */
const addedPrograms: readonly string[] = [
  'ComputeBudget111111111111111111111111111111',
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
]

/**
 * Verifies what a wallet signed: it may change the blockhash, the compute budget and add assertions.
 *
 * @param requested the transaction that the wallet was given, in wire format.
 * @returns whether the wallet changed nothing, so that the transaction expires with the requested blockhash.
 * @throws WalletError when the wallet signed another transaction.
 */
export function verifySigned(requested: Uint8Array, signed: Uint8Array): boolean {
  const [before, after] = [messageOf(requested), messageOf(signed)]
  if (before.every((byte, index) => byte === after[index]) && before.length === after.length) return true
  if (JSON.stringify(transferIn(before)) !== JSON.stringify(transferIn(after))) throw another()
  return false
}

function messageOf(transaction: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(getTransactionDecoder().decode(transaction).messageBytes)
  } catch {
    throw another()
  }
}

/** Returns the fee payer and the instructions, without those that wallets add. */
function transferIn(bytes: Uint8Array) {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version === 1 || ('addressTableLookups' in message && message.addressTableLookups?.length)) {
    throw another()
  }
  const addressAt = (index: number) => message.staticAccounts[index] as Address
  const instructions = message.instructions
    .map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
      program: addressAt(programAddressIndex),
      accounts: accountIndices.map(addressAt),
      data: [...data],
    }))
    .filter(({ program }) => !addedPrograms.includes(program))
  return { payer: addressAt(0), instructions }
}

function another(): WalletError {
  return new WalletError('unreadable', 'The wallet signed another transaction')
}
