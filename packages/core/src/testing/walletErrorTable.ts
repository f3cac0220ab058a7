import type { WalletFailure } from '../errors/walletFailure.ts'

/** What a wallet throws, by the wallet and the request, and what it means; undefined for what says nothing. */
type WalletErrorRow = readonly [wallet: string, error: unknown, failure: WalletFailure | undefined]

const error = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields)

/** Errors in the forms that wallets and the libraries in front of them are known to use. */
export const walletErrorTable: readonly WalletErrorRow[] = [
  ['MetaMask, connecting', error('User rejected the request.', { code: 4001 }), 'declined'],
  [
    'MetaMask, sending',
    error('MetaMask Tx Signature: User denied transaction signature.', { code: 4001 }),
    'declined',
  ],
  [
    'MetaMask, sending, older',
    error('MetaMask Tx Signature: User denied transaction signature.', { code: -32603 }),
    'declined',
  ],
  [
    'MetaMask, signing, without a code',
    error('MetaMask Message Signature: User denied message signature.'),
    'declined',
  ],
  [
    'MetaMask, asked twice',
    error("Request of type 'wallet_requestPermissions' already pending for origin https://a.test.", {
      code: -32002,
    }),
    'busy',
  ],
  ['MetaMask, asked twice, older', error('Already processing eth_requestAccounts. Please wait.'), 'busy'],
  [
    'MetaMask, unknown chain',
    error('Unrecognized chain ID "0x7a69". Try adding the chain using wallet_addEthereumChain first.', {
      code: 4902,
    }),
    'unknownNetwork',
  ],
  [
    'MetaMask for phones, unknown chain',
    error('Unrecognized chain ID "0x7a69".', {
      code: -32603,
      data: { originalError: { code: 4902, message: 'Unrecognized chain ID "0x7a69".' } },
    }),
    'unknownNetwork',
  ],
  [
    'MetaMask, no permission',
    error('The requested method and/or account has not been authorized by the user.', { code: 4100 }),
    'unauthorized',
  ],
  [
    'MetaMask, no ether',
    error('insufficient funds for gas * price + value: balance 0, tx cost 21000', { code: -32000 }),
    'insufficientFunds',
  ],
  [
    'MetaMask, no ether, of its node',
    error('Internal JSON-RPC error.', {
      code: -32603,
      data: { code: -32000, message: 'insufficient funds for transfer' },
    }),
    'insufficientFunds',
  ],
  [
    'MetaMask, a call that reverts',
    error('execution reverted: user rejected by the token', { code: 3 }),
    undefined,
  ],
  [
    'MetaMask, a call that reverts, inside of an internal error',
    error('Internal JSON-RPC error.', {
      code: -32603,
      data: { code: 3, message: 'execution reverted: insufficient balance' },
    }),
    undefined,
  ],
  ['Phantom, declining', error('User rejected the request.', { code: 4001 }), 'declined'],
  ['Phantom on Solana', error('User rejected the request.'), 'declined'],
  ['Phantom, unknown chain', error('Unrecognized chain', { code: '4902' }), 'unknownNetwork'],
  [
    'Phantom on Solana, no SOL',
    error('Attempt failed: insufficient lamports 0, need 5000'),
    'insufficientFunds',
  ],
  ['Coinbase Wallet, connecting', error('User denied account authorization', { code: 4001 }), 'declined'],
  ['Coinbase Wallet, connecting, without a code', error('User denied account authorization'), 'declined'],
  ['Coinbase Wallet, a code as text', error('Request rejected', { code: '4001' }), 'declined'],
  ['Coinbase Wallet, unknown chain', error('Unrecognized chain ID', { code: -32603 }), 'unknownNetwork'],
  ['Safe, sending', error('Transaction was rejected'), 'declined'],
  ['Safe, sending, with a code', error('Transaction was rejected', { code: -32000 }), 'declined'],
  ['Safe, signing', error('User rejected the signing request'), 'declined'],
  ['Trust Wallet', error('cancelled', { code: 4001 }), 'declined'],
  ['Trust Wallet, without a code', error('cancelled'), 'declined'],
  ['Trust Wallet, as a text', 'User canceled', 'declined'],
  ['OKX Wallet', error('Request rejected by user', { code: -32000 }), 'declined'],
  ['Rabby', error('User Rejected Request'), 'declined'],
  [
    'Ledger',
    error('Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'),
    'declined',
  ],
  ['Trezor', error('Action cancelled by user', { code: 'Failure_ActionCancelled' }), 'declined'],
  ['Frame', error('User declined transaction', { code: -1 }), 'declined'],
  ['an extension of Polkadot', error('Cancelled'), 'declined'],
  ['an extension of Polkadot, once more', error('Rejected'), 'declined'],
  ['a Solana wallet', error('Transaction cancelled'), 'declined'],
  ['a wallet with a code in its data', { code: -32603, data: { code: 4001 } }, 'declined'],
  ['a wallet with a code as a text in its data', { code: -32603, data: { code: '4001' } }, 'declined'],
  ['a wallet with a cause', error('Failed', { cause: error('No', { code: 4001 }) }), 'declined'],
  [
    'a wallet with an original error',
    error('Failed', { data: { originalError: { code: 4001 } } }),
    'declined',
  ],
  ['a wallet with its own original error', error('Failed', { originalError: { code: 4001 } }), 'declined'],
  ['a wallet with an answer as its error', { error: { code: 4001, message: 'No' } }, 'declined'],
  ['a session of wallet-connect', error('User rejected.', { code: 5000 }), 'declined'],
  ['ethers, declining', error('user rejected action', { code: 'ACTION_REJECTED' }), 'declined'],
  [
    'ethers, declining, with the answer of the wallet',
    error('could not coalesce error', { code: 'UNKNOWN_ERROR', info: { error: { code: 4001 } } }),
    'declined',
  ],
  ['ethers, no ether', error('cannot pay', { code: 'INSUFFICIENT_FUNDS' }), 'insufficientFunds'],
  ['a wallet, unknown chain, as a node', error('Unrecognized chain ID', { code: -32000 }), 'unknownNetwork'],
  ['a wallet, unknown chain, by its text', error('This network has not been added'), 'unknownNetwork'],
  ['a wallet, unsupported method', error('No such method', { code: '-32601' }), 'unsupported'],
  ['a wallet that is offline', error('Disconnected from all chains', { code: 4900 }), 'offline'],
  ['a wallet, a nonce that is used', error('nonce too low', { code: -32000 }), undefined],
  ['a wallet, a transaction that its node rejected', error('transaction rejected: fee too low'), undefined],
  ['a wallet that says nothing', {}, undefined],
  ['a wallet that throws nothing', undefined, undefined],
]
