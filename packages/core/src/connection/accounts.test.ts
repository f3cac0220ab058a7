import { describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { openModal } from '../modal/modal.ts'
import { labelAccounts } from '../names/identity.ts'
import { openSend } from '../send/edit.ts'
import { ALICE, BOB, createFakeWallet } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, type Kit } from '../testing/kit.ts'
import { chooseAccount } from './accounts.ts'
import { disconnect } from './disconnect.ts'

const accountOf = ({ hawser }: Kit) => selectAccount(hawser.chain.getState())

/** Connects a visitor whose wallet grants two accounts. */
async function withTwo(): Promise<Kit> {
  const wallet = createFakeWallet()
  wallet.accounts = [ALICE, BOB]
  return createConnectedKit({}, wallet)
}

describe('one of several accounts of a wallet', () => {
  it('is active once chosen, and the other one’s data is cleared', async () => {
    const kit = await withTwo()
    openModal(kit.hawser)
    openSend(kit.hawser)
    chooseAccount(kit.hawser, BOB)
    expect(accountOf(kit)).toMatchObject({
      address: BOB,
      caipAddress: `eip155:31337:${BOB}`,
      shouldUpdateToAddress: BOB,
      tokenBalanceLoaded: false,
      profileName: undefined,
      allAccounts: [{ address: ALICE }, { address: BOB }],
    })
    expect(kit.hawser.router.getState().view).toBe('Account')
  })

  it('stays active when the wallet reports its accounts', async () => {
    const kit = await withTwo()
    chooseAccount(kit.hawser, BOB)
    kit.wallet.emit('accountsChanged', [ALICE, BOB.toLowerCase()])
    expect(accountOf(kit).address?.toLowerCase()).toBe(BOB.toLowerCase())
  })

  it('stays the one in use for the next visit', async () => {
    const kit = await withTwo()
    chooseAccount(kit.hawser, BOB)
    const next = createKit({ storage: kit.storage }, kit.wallet)
    next.hawser.mount()
    await vi.waitFor(() => expect(accountOf(next).status).toBe('connected'))
    expect(accountOf(next).address).toBe(BOB)
  })

  it('is left when the wallet does not grant it any more, for good', async () => {
    const kit = await withTwo()
    chooseAccount(kit.hawser, BOB)
    kit.wallet.emit('accountsChanged', [ALICE])
    expect(accountOf(kit)).toMatchObject({ address: ALICE, shouldUpdateToAddress: undefined })
    kit.wallet.emit('accountsChanged', [ALICE, BOB])
    expect(accountOf(kit).address).toBe(ALICE)
  })

  it('is forgotten with the wallet', async () => {
    const kit = await withTwo()
    chooseAccount(kit.hawser, BOB)
    await disconnect(kit.hawser)
    expect(kit.storage.values.has('@hawser/v1/eip155:chosen_account')).toBe(false)
  })

  it('must be one that the wallet grants', async () => {
    const kit = await createConnectedKit()
    chooseAccount(kit.hawser, BOB)
    expect(accountOf(kit).address).toBe(ALICE)
  })

  it('is shown by its name', async () => {
    const kit = await withTwo()
    kit.gateway.names.identity = (address) => ({
      ...(address === BOB && { name: 'bob.hawser.id' }),
    })
    await labelAccounts(kit.hawser)
    expect([...accountOf(kit).addressLabels]).toEqual([[BOB, 'bob.hawser.id']])
  })
})
