import { hexToBigInt, numberToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Approvals } from './approvals.mjs'
import { Batches } from './batches.mjs'
import { callNode, WalletChains } from './chains.mjs'
import { invalidParams, unauthorized, unrecognizedChain, unsupportedMethod, WalletError } from './errors.mjs'
import { standard } from './manners.mjs'
import { complete, sendTransaction, signMessage, signTypedData } from './signing.mjs'

/**
 * @typedef {object} WalletOptions
 * @property {`0x${string}`[]} privateKeys one per account; the first is active
 * @property {{ chainId: number, rpcUrl: string }[]} chains those the wallet knows; the first is active
 * @property {string} [name]
 * @property {string} [rdns] reverse domain name (EIP-6963)
 * @property {string} [icon] data URI
 * @property {`0x${string}`} [contract] the first account is this contract, for which its key signs (ERC-1271); it sends nothing
 * @property {boolean} [grantsAll] whether pages are granted all accounts, the active one first; the active one alone by default
 * @property {import('./batches.mjs').BatchOptions} [batches] absent: the wallet knows nothing of batches
 */

const anchor =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='22' fill='#0b7285'/>" +
  "<g fill='none' stroke='#fff' stroke-width='7' stroke-linecap='round'><circle cx='48' cy='26' r='9'/>" +
  "<path d='M48 35v40M33 46h30M22 56c2 14 13 20 26 20s24-6 26-20'/></g></svg>"

/**
 * A browser wallet for tests: it signs with development keys, sends real transactions, and decides prompts as the
 * test says. It implements EIP-1193 and stores permissions per origin.
 */
export class TestWallet {
  /** @param {WalletOptions} options */
  constructor(options) {
    const { privateKeys, chains, name = 'Harbor Test Wallet', rdns = 'dev.hawser.testwallet', icon } = options
    const [first] = chains
    if (!first || !privateKeys[0]) throw new Error('a wallet needs an account and a chain')
    this.info = {
      uuid: crypto.randomUUID(),
      name,
      rdns,
      icon: icon ?? `data:image/svg+xml;base64,${Buffer.from(anchor).toString('base64')}`,
    }
    /** Decides the wallet's prompts, in place of a person. */
    this.approvals = new Approvals()
    /** Every request a page made, oldest first. @type {{ method: string, params: any }[]} */
    this.requests = []
    /** How it writes what it answers; a journey draws it. @type {import('./manners.mjs').Manners} */
    this.manners = standard
    this.contract = options.contract
    this.accounts = privateKeys.map((privateKey, index) => ({
      privateKey,
      address: (index === 0 && options.contract) || privateKeyToAddress(privateKey),
    }))
    this.chainId = first.chainId
    this.locked = false
    this.chains = new WalletChains(chains)
    this.batches = options.batches && new Batches(options.batches)
    this.grantsAll = options.grantsAll ?? false
    this.active = 0
    /** What it sent last for a page. @type {Omit<Parameters<typeof sendTransaction>[0], 'node'> | undefined} */
    this.last = undefined
    /** @type {Set<string>} */
    this.grantedOrigins = new Set()
    /** @type {((origin: string | undefined, event: string, payload: unknown) => void)[]} */
    this.listeners = []
  }

  /** Address of the active account. */
  get address() {
    return this.#account().address
  }

  /**
   * Subscribes to the wallet's events (EIP-1193). An event without an origin is for every page.
   *
   * @param {(origin: string | undefined, event: string, payload: unknown) => void} listener
   */
  onEvent(listener) {
    this.listeners.push(listener)
  }

  /**
   * Chooses another account, as the person would.
   *
   * @param {number} index
   */
  switchAccount(index) {
    this.active = index
    this.#tellAccounts()
  }

  /**
   * Chooses another network, as the person would.
   *
   * @param {number} chainId
   */
  switchChain(chainId) {
    if (this.chainId === chainId) return
    this.chainId = chainId
    this.#emit(undefined, 'chainChanged', numberToHex(chainId))
  }

  /** Sends the last transaction again with twice the fee, as the person would; returns its new hash. */
  speedUp() {
    return this.#replaceLast()
  }

  /** Cancels the last transaction by one that sends nothing to its sender; returns the hash of that. */
  cancel() {
    return this.#replaceLast({ to: this.address, value: '0x0', data: '0x' })
  }

  /** Locks the wallet, as the person would: pages see no account until it is unlocked. */
  lock() {
    this.locked = true
    this.#tellAccounts()
  }

  unlock() {
    this.locked = false
    this.#tellAccounts()
  }

  /**
   * Answers a page's request.
   *
   * @param {string} origin of the page
   * @param {{ method: string, params?: any }} request
   * @returns {Promise<unknown>}
   * @throws {import('./errors.mjs').WalletError} as the manners of the wallet have it
   */
  async request(origin, { method, params = [] }) {
    this.requests.push({ method, params })
    try {
      return await this.#answer(origin, method, params)
    } catch (error) {
      if (!(error instanceof WalletError)) throw error
      const { message, ...fields } = this.manners.error(error, method)
      throw Object.assign(new Error(message), fields)
    }
  }

  /**
   * @param {string} origin
   * @param {string} method
   * @param {any} params
   */
  async #answer(origin, method, params) {
    switch (method) {
      case 'eth_chainId':
        return numberToHex(this.chainId)
      case 'net_version':
        return String(this.chainId)
      case 'eth_accounts':
        return this.#visibleAccounts(origin)
      case 'eth_requestAccounts':
        await this.#grant(origin)
        return this.#visibleAccounts(origin)
      case 'wallet_requestPermissions':
        await this.approvals.ask()
        this.#allow(origin)
        return this.#permissions(origin)
      case 'wallet_getPermissions':
        return this.#permissions(origin)
      case 'wallet_revokePermissions':
        this.#revoke(origin)
        return null
      case 'wallet_switchEthereumChain':
        return this.#switchForPage(params[0])
      case 'wallet_addEthereumChain':
        return this.#addForPage(params[0])
      case 'personal_sign': {
        const { privateKey } = this.#accountFor(origin, params[1])
        await this.approvals.ask()
        return signMessage(privateKey, params[0])
      }
      case 'eth_signTypedData_v4': {
        const { privateKey } = this.#accountFor(origin, params[0])
        await this.approvals.ask()
        return signTypedData(privateKey, params[1])
      }
      case 'eth_sendTransaction':
        return this.#send(origin, params[0])
    }
    if (this.batches && /^wallet_(getCapabilities|sendCalls|getCallsStatus)$/.test(method)) {
      return this.#answerBatches(origin, this.batches, method, params)
    }
    if (/^(eth_(get|call|estimate|block|gas|fee|max)|net_|web3_)/.test(method)) {
      return this.chains.call(this.chainId, method, params)
    }
    throw unsupportedMethod(method)
  }

  /** @param {string} origin */
  async #grant(origin) {
    if (this.grantedOrigins.has(origin) && !this.locked) return
    await this.approvals.ask()
    this.#allow(origin)
  }

  /** @param {string} origin */
  #allow(origin) {
    this.locked = false
    this.grantedOrigins.add(origin)
    this.#emit(origin, 'accountsChanged', this.#visibleAccounts(origin))
  }

  /** @param {string} origin */
  #revoke(origin) {
    if (!this.grantedOrigins.delete(origin)) return
    this.#emit(origin, 'accountsChanged', [])
  }

  /** @param {string} origin */
  #permissions(origin) {
    if (!this.grantedOrigins.has(origin)) return []
    const caveats = [{ type: 'restrictReturnedAccounts', value: this.#visibleAccounts(origin) }]
    return [{ invoker: origin, parentCapability: 'eth_accounts', caveats }]
  }

  /** @param {string} origin */
  #visibleAccounts(origin) {
    if (!this.grantedOrigins.has(origin) || this.locked) return []
    const others = this.accounts.map(({ address }) => address).filter((address) => address !== this.address)
    return (this.grantsAll ? [this.address, ...others] : [this.address]).map(this.manners.account)
  }

  #account() {
    const account = this.accounts[this.active]
    if (!account) throw new Error(`the wallet has no account ${this.active}`)
    return account
  }

  /**
   * @param {string} origin
   * @param {unknown} address
   */
  #accountFor(origin, address) {
    const asked = typeof address === 'string' ? address.toLowerCase() : undefined
    const granted = this.#visibleAccounts(origin).find((each) => each.toLowerCase() === asked)
    const account = this.accounts.find((each) => each.address.toLowerCase() === granted?.toLowerCase())
    if (!account) throw unauthorized('The requested account has not been authorized by the user.')
    return account
  }

  /** @param {{ chainId?: string } | undefined} target */
  async #switchForPage(target) {
    const chainId = chainIdOf(target)
    if (!this.chains.knows(chainId)) throw unrecognizedChain(numberToHex(chainId))
    if (chainId === this.chainId) return null
    await this.approvals.ask()
    this.switchChain(chainId)
    return null
  }

  /** @param {{ chainId?: string, chainName?: string, rpcUrls?: string[] } | undefined} target EIP-3085 */
  async #addForPage(target) {
    const chainId = chainIdOf(target)
    const url = target?.rpcUrls?.[0]
    if (!target?.chainName || !url) throw invalidParams('wallet_addEthereumChain needs chainName and rpcUrls')
    const actual = Number(await callNode(url, 'eth_chainId'))
    if (actual !== chainId) throw invalidParams(`the node at ${url} serves chain ${actual}, not ${chainId}`)
    await this.approvals.ask()
    this.chains.add(chainId, url)
    this.switchChain(chainId)
    return null
  }

  /**
   * @param {string} origin
   * @param {import('./signing.mjs').TransactionRequest & { chainId?: `0x${string}` }} request
   */
  async #send(origin, request) {
    const { privateKey, address } = this.#accountFor(origin, request.from)
    const { chainId } = this
    if (address === this.contract) throw unsupportedMethod('eth_sendTransaction')
    if (request.chainId && Number(request.chainId) !== chainId) {
      throw invalidParams(
        `the wallet is on chain ${chainId}, the transaction is for ${Number(request.chainId)}`,
      )
    }
    await this.approvals.ask()
    const node = this.#node(chainId)
    this.last = { privateKey, chainId, request: await complete(request, node) }
    return sendTransaction({ ...this.last, node })
  }

  /** @param {number} chainId */
  #node(chainId) {
    return (/** @type {string} */ method, /** @type {unknown[]} */ params) =>
      this.chains.call(chainId, method, params)
  }

  /** @param {Partial<import('./signing.mjs').TransactionRequest>} [changes] */
  #replaceLast(changes) {
    if (!this.last) throw new Error('the wallet has sent nothing')
    const gasPrice = numberToHex(2n * hexToBigInt(this.last.request.gasPrice))
    const request = { ...this.last.request, ...changes, gasPrice }
    return sendTransaction({ ...this.last, request, node: this.#node(this.last.chainId) })
  }

  /**
   * @param {string} origin
   * @param {Batches} batches
   * @param {string} method
   * @param {any} params
   */
  async #answerBatches(origin, batches, method, params) {
    if (method === 'wallet_getCapabilities') {
      this.#accountFor(origin, params[0])
      return batches.capabilities(params[1])
    }
    if (method === 'wallet_getCallsStatus') {
      return batches.statusOf(params[0], (chainId) => (name, list) => this.chains.call(chainId, name, list))
    }
    const [request] = params
    const { privateKey } = this.#accountFor(origin, request?.from ?? this.address)
    batches.check(request)
    await this.approvals.ask()
    const node = (/** @type {string} */ name, /** @type {unknown[]} */ list) =>
      this.chains.call(Number(request.chainId), name, list)
    return { id: await batches.send({ privateKey, request, node }) }
  }

  #tellAccounts() {
    for (const origin of this.grantedOrigins) {
      this.#emit(origin, 'accountsChanged', this.#visibleAccounts(origin))
    }
  }

  /**
   * @param {string | undefined} origin
   * @param {string} event
   * @param {unknown} payload
   */
  #emit(origin, event, payload) {
    for (const listener of this.listeners) listener(origin, event, payload)
  }
}

/** @param {{ chainId?: string } | undefined} target */
function chainIdOf(target) {
  const chainId = Number(target?.chainId)
  if (!target?.chainId?.startsWith('0x') || !Number.isSafeInteger(chainId)) {
    throw invalidParams('chainId must be a 0x-prefixed number')
  }
  return chainId
}
