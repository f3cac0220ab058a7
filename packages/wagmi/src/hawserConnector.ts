import {
  disconnect,
  type Eip1193Provider,
  type Hawser,
  isUserRejection,
  openModal,
  requestedNetwork,
  selectAccount,
  selectNetwork,
  switchNetwork,
} from '@hawser/core'
import { ChainNotConfiguredError, type CreateConnectorFn, createConnector } from '@wagmi/core'
import { type Address, SwitchChainError, UserRejectedRequestError } from 'viem'
import { whenAccountIsKnown, whenConnected } from './waiting.ts'

/** The provider of the wallet that is connected on the EVM networks. */
export type HawserConnectorProvider = Pick<Eip1193Provider, 'request'>

/** The account in the form of wagmi. */
interface Session {
  readonly accounts: readonly [Address, ...Address[]]
  readonly chainId: number
}

/**
 * Creates a connector for wagmi. `connect` opens the modal, and rejects when the visitor closes it; what is connected,
 * switched or disconnected in the modal shows in wagmi's hooks, and the other way round.
 *
 * @param hawser the instance that `HawserProvider` of @hawser/react has too, or one for the connector alone.
 */
export function hawserConnector(hawser: Hawser): CreateConnectorFn<HawserConnectorProvider> {
  return createConnector<HawserConnectorProvider>(({ chains, emitter }) => {
    const provider: HawserConnectorProvider = {
      async request(args) {
        const session = hawser.sessions.get('eip155')
        if (!session) throw new Error('No wallet is connected.')
        return (session.provider as Eip1193Provider).request(args)
      },
    }

    function follow(): void {
      let before = sessionOf(hawser)
      hawser.chain.subscribe(() => {
        const after = sessionOf(hawser)
        if (isSame(before, after)) return
        const wasConnected = before !== undefined
        before = after
        if (!after) emitter.emit('disconnect')
        else emitter.emit(wasConnected ? 'change' : 'connect', after)
      })
    }

    async function switchChain({ chainId }: { chainId: number }) {
      const chain = chains.find(({ id }) => id === chainId)
      const network = requestedNetwork(hawser, `eip155:${chainId}`)
      if (!chain || !network) throw new SwitchChainError(new ChainNotConfiguredError())
      try {
        await switchNetwork(hawser, { network })
      } catch (error) {
        throw isUserRejection(error)
          ? new UserRejectedRequestError(error as Error)
          : new SwitchChainError(error as Error)
      }
      return chain
    }

    return {
      id: 'hawser',
      name: 'Hawser',
      type: 'hawser',

      async setup() {
        if (typeof window === 'undefined') return
        follow()
        hawser.mount()
      },

      async connect<WithCapabilities extends boolean = false>({
        chainId,
        isReconnecting = false,
        withCapabilities,
      }: {
        chainId?: number | undefined
        isReconnecting?: boolean | undefined
        withCapabilities?: WithCapabilities | boolean | undefined
      } = {}) {
        await whenAccountIsKnown(hawser)
        if (!sessionOf(hawser) && !isReconnecting) {
          openModal(hawser, { namespace: 'eip155' })
          await whenConnected(hawser)
        }
        if (chainId !== undefined && sessionOf(hawser) && chainId !== sessionOf(hawser)?.chainId)
          await switchChain({ chainId })
        const session = sessionOf(hawser)
        if (!session) throw new UserRejectedRequestError(new Error('No wallet was connected.'))
        const accounts = withCapabilities
          ? session.accounts.map((address) => ({ address, capabilities: {} }))
          : session.accounts
        return { accounts: accounts as never, chainId: session.chainId }
      },

      async disconnect() {
        await whenAccountIsKnown(hawser)
        await disconnect(hawser, { namespace: 'eip155' })
      },

      getAccounts: async () => sessionOf(hawser)?.accounts ?? [],

      async getChainId() {
        return sessionOf(hawser)?.chainId ?? Number(selectNetwork(hawser.chain.getState(), 'eip155')?.id)
      },

      getProvider: async () => provider,

      async isAuthorized() {
        await whenAccountIsKnown(hawser)
        return sessionOf(hawser) !== undefined
      },

      switchChain,

      // The events of the wallet arrive by the state of Hawser.
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    }
  })
}

/** Returns the EVM account that is connected, the active address first. */
function sessionOf(hawser: Hawser): Session | undefined {
  const state = hawser.chain.getState()
  const { address, allAccounts, status } = selectAccount(state, 'eip155')
  const network = selectNetwork(state, 'eip155')
  if (!address || status !== 'connected' || !network) return undefined
  const others = allAccounts.map((account) => account.address).filter((other) => other !== address)
  return { accounts: [address, ...others] as unknown as Session['accounts'], chainId: Number(network.id) }
}

function isSame(one: Session | undefined, other: Session | undefined): boolean {
  return one?.chainId === other?.chainId && one?.accounts.join() === other?.accounts.join()
}
