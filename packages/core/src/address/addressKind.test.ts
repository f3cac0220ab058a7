import { describe, expect, it } from 'vitest'
import { addressKind } from './addressKind.ts'

describe('addressKind', () => {
  it.each([
    ['an EVM address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'eip155'],
    ['a lower-case EVM address', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'eip155'],
    ['a Solana address', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'solana'],
    ['the system program, which is 32 zero bytes', '11111111111111111111111111111111', 'solana'],
    ['the native mint', 'So11111111111111111111111111111111111111112', 'solana'],
    ['a pay-to-public-key-hash address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bip122'],
    ['a pay-to-script-hash address', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'bip122'],
    ['a segwit address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bip122'],
    ['a taproot address', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'bip122'],
    ['a regtest address', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'bip122'],
    ['a Polkadot address', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', 'polkadot'],
    ['an address of Substrate in general', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', 'polkadot'],
    ['a word', 'alice', undefined],
    ['a name', 'alice.hawser.id', undefined],
    ['base58 of another size', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9z', undefined],
    ['letters that base58 leaves out', '0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl', undefined],
    ['a very long text', '2'.repeat(100_000), undefined],
    ['nothing', '', undefined],
  ])('names the namespace of %s', (_, text, namespace) => {
    expect(addressKind(text)).toBe(namespace)
  })
})
