import { encodeDeployData, encodeFunctionData, getContractAddress } from 'viem'
import { deployer } from './accounts.mjs'

/**
 * @typedef {object} Transaction
 * @property {string} what for error messages
 * @property {`0x${string}` | undefined} to absent when it creates a contract
 * @property {`0x${string}`} data
 * @property {bigint} value wei
 */

/**
 * The deployer's transactions in their order. Transaction n has nonce n, so that the contracts' addresses follow from the order alone.
 */
export class Transactions {
  /** @param {Record<string, import('./compile.mjs').Artifact>} artifacts */
  constructor(artifacts) {
    this.artifacts = artifacts
    /** @type {Transaction[]} */
    this.list = []
    /** Addresses by the contracts' ids. @type {Record<string, `0x${string}`>} */
    this.contracts = {}
  }

  /** @param {string} contract */
  artifact(contract) {
    const artifact = this.artifacts[contract]
    if (!artifact) throw new Error(`no contract is called ${contract}`)
    return artifact
  }

  /** @param {string} id */
  address(id) {
    const address = this.contracts[id]
    if (!address) throw new Error(`there is no ${id} yet`)
    return address
  }

  /**
   * @param {string} id
   * @param {string} contract
   * @param {unknown[]} [args]
   */
  create(id, contract, args = []) {
    const { abi, bytecode } = this.artifact(contract)
    this.contracts[id] = getContractAddress({ from: deployer.address, nonce: BigInt(this.list.length) })
    const data = encodeDeployData({ abi, bytecode, args })
    this.list.push({ what: `creating ${id}`, to: undefined, data, value: 0n })
  }

  /**
   * @param {string} contract whose functions the called address has
   * @param {`0x${string}`} to
   * @param {string} functionName
   * @param {unknown[]} [args]
   * @param {bigint} [value] wei
   */
  call(contract, to, functionName, args = [], value = 0n) {
    const data = this.encode(contract, functionName, args)
    this.list.push({ what: `${contract}.${functionName}`, to, data, value })
  }

  /**
   * @param {string} contract
   * @param {string} functionName
   * @param {unknown[]} args
   */
  encode(contract, functionName, args) {
    return encodeFunctionData({ abi: this.artifact(contract).abi, functionName, args })
  }
}
