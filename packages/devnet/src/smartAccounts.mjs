import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as abis from '@metamask/delegation-abis'
import * as bytecodes from '@metamask/delegation-abis/bytecode'
import { concat, encodeDeployData, encodeFunctionData, getContractAddress, zeroHash } from 'viem'
import { deployer, executors, paymasterSigner } from './accounts.mjs'

/**
 * The contracts of smart accounts. EntryPoints have the addresses of public chains.
 *
 * @typedef {object} SmartAccountsManifest
 * @property {`0x${string}`} entryPoint07 EntryPoint v0.7 (ERC-4337)
 * @property {`0x${string}`} entryPoint08 EntryPoint v0.8
 * @property {`0x${string}`} delegationManager of ERC-7710
 * @property {`0x${string}`} delegate EIP7702StatelessDeleGator, for EntryPoint v0.7
 * @property {`0x${string}`} simpleDelegate Simple7702Account, for EntryPoint v0.8
 * @property {`0x${string}`} factory SimpleFactory, which creates accounts by CREATE2
 * @property {`0x${string}`} hybrid HybridDeleGator, the code of the factory's accounts
 * @property {`0x${string}`} multiSig MultiSigDeleGator, the code of accounts of sessions
 * @property {`0x${string}`} paymaster VerifyingPaymaster of EntryPoint v0.7, with a deposit
 * @property {Record<string, `0x${string}`>} enforcers of caveats, by contract name
 */

/** CREATE2 deployer that anvil has from the start, as public chains do. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Salts that give the EntryPoints their addresses on public chains. */
const salts = /** @type {const} */ ({
  v07: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  v08: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
})

/**
 * Where the packages of ERC-4337 keep what their compilers made. Their sources are under the GPL, so nothing of them is in this repository: the local
 * chains run the bytecode as it was published.
 */
const published = {
  EntryPoint07: '@account-abstraction/contracts-v0.7/artifacts/EntryPoint.json',
  EntryPoint08: '@account-abstraction/contracts/artifacts/EntryPoint.json',
  Simple7702Account: '@account-abstraction/contracts/artifacts/Simple7702Account.json',
  VerifyingPaymaster: '@account-abstraction/contracts-v0.7/artifacts/VerifyingPaymaster.json',
}

/** Enforcers of the caveats that sessions use. */
const enforcers = [
  'AllowedCalldataEnforcer',
  'AllowedMethodsEnforcer',
  'AllowedTargetsEnforcer',
  'ERC20PeriodTransferEnforcer',
  'ERC20TransferAmountEnforcer',
  'ExactCalldataEnforcer',
  'LimitedCallsEnforcer',
  'NativeTokenPeriodTransferEnforcer',
  'NativeTokenTransferAmountEnforcer',
  'NonceEnforcer',
  'RedeemerEnforcer',
  'TimestampEnforcer',
  'ValueLteEnforcer',
]

/** Enforcer that passes if one of its groups of caveats does. Its code depends on the DelegationManager. */
const orEnforcer = 'LogicalOrWrapperEnforcer'

/** Wei that the paymaster has at its EntryPoint. */
const paymasterDeposit = 100n * 10n ** 18n

/** Wei of each executor of the bundler. */
const executorBalance = 1_000n * 10n ** 18n

/** Balances of the bundler's executors. @type {Record<string, bigint>} */
export const executorBalances = Object.fromEntries(executors.map(({ address }) => [address, executorBalance]))

/**
 * Adds the contracts of smart accounts. Their addresses depend on their code only (CREATE2), so they are the same on every chain.
 *
 * @param {import('./transactions.mjs').Transactions} transactions
 */
export function addSmartAccounts(transactions) {
  const entryPoint07 = create2(transactions, 'EntryPoint07', artifact('EntryPoint07'), [], salts.v07)
  create2(transactions, 'EntryPoint08', artifact('EntryPoint08'), [], salts.v08)
  create2(transactions, 'Simple7702Account', artifact('Simple7702Account'))
  const paymaster = artifact('VerifyingPaymaster')
  const payer = create2(transactions, 'VerifyingPaymaster', paymaster, [
    entryPoint07,
    paymasterSigner.address,
  ])
  transactions.list.push({
    what: 'VerifyingPaymaster.deposit',
    to: payer,
    data: encodeFunctionData({ abi: paymaster.abi, functionName: 'deposit' }),
    value: paymasterDeposit,
  })

  const manager = create2(transactions, 'DelegationManager', metamask('DelegationManager'), [
    deployer.address,
  ])
  const core = [manager, entryPoint07]
  create2(transactions, 'EIP7702StatelessDeleGator', metamask('EIP7702StatelessDeleGator'), core)
  const curve = create2(transactions, 'SCL_RIP7212', metamask('SCL_RIP7212'))
  create2(transactions, 'HybridDeleGator', link(metamask('HybridDeleGator'), curve), core)
  create2(transactions, 'SimpleFactory', metamask('SimpleFactory'))
  create2(transactions, 'MultiSigDeleGator', metamask('MultiSigDeleGator'), core)
  for (const name of enforcers) create2(transactions, name, metamask(name))
  create2(transactions, orEnforcer, metamask(orEnforcer), [manager])
}

/**
 * @param {(id: string) => `0x${string}`} address
 * @returns {SmartAccountsManifest}
 */
export function describeSmartAccounts(address) {
  return {
    entryPoint07: address('EntryPoint07'),
    entryPoint08: address('EntryPoint08'),
    delegationManager: address('DelegationManager'),
    delegate: address('EIP7702StatelessDeleGator'),
    simpleDelegate: address('Simple7702Account'),
    factory: address('SimpleFactory'),
    hybrid: address('HybridDeleGator'),
    multiSig: address('MultiSigDeleGator'),
    paymaster: address('VerifyingPaymaster'),
    enforcers: Object.fromEntries([...enforcers, orEnforcer].map((name) => [name, address(name)])),
  }
}

/**
 * Adds the creation of a contract at an address that depends on its code and the salt.
 *
 * @param {import('./transactions.mjs').Transactions} transactions
 * @param {string} id
 * @param {import('./compile.mjs').Artifact} artifact
 * @param {unknown[]} [args]
 * @param {`0x${string}`} [salt]
 * @returns {`0x${string}`} the address
 */
function create2(transactions, id, { abi, bytecode }, args = [], salt = zeroHash) {
  const code = encodeDeployData({ abi, bytecode, args })
  const address = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode: code })
  transactions.contracts[id] = address
  transactions.list.push({
    what: `creating ${id}`,
    to: create2Deployer,
    data: concat([salt, code]),
    value: 0n,
  })
  return address
}

/**
 * @param {keyof typeof published} contract
 * @returns {import('./compile.mjs').Artifact}
 */
function artifact(contract) {
  const path = createRequire(import.meta.url).resolve(published[contract])
  const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8'))
  return { abi, bytecode }
}

/**
 * @param {string} contract of the Delegation Framework
 * @returns {import('./compile.mjs').Artifact}
 */
function metamask(contract) {
  const abi = /** @type {Record<string, import('viem').Abi>} */ (abis)[contract]
  const bytecode = /** @type {Record<string, `0x${string}`>} */ (bytecodes)[contract]
  if (!abi || !bytecode) throw new Error(`the Delegation Framework has no ${contract}`)
  return { abi, bytecode }
}

/**
 * Puts the address of the one library of a contract into its bytecode.
 *
 * @param {import('./compile.mjs').Artifact} artifact
 * @param {`0x${string}`} library
 * @returns {import('./compile.mjs').Artifact}
 */
function link({ abi, bytecode }, library) {
  const linked = bytecode.replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2).toLowerCase())
  return { abi, bytecode: /** @type {`0x${string}`} */ (linked) }
}
