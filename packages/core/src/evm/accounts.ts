import { getAddress, isAddress } from 'viem/utils'

/**
 * Returns an EVM address with its checksum (EIP-55), in whatever case it is written; undefined for what is no address.
 */
export function evmAddress(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim().replace(/^0X/, '0x')
  return isAddress(trimmed, { strict: false }) ? getAddress(trimmed) : undefined
}

/** Returns the addresses of a list of accounts (EIP-1193), each once, with their checksums; leaves out what is no address. */
export function evmAddresses(accounts: unknown): readonly string[] {
  const listed = Array.isArray(accounts) ? accounts : []
  return [...new Set(listed.flatMap((account) => evmAddress(account) ?? []))]
}
