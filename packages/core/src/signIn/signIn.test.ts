import { describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { switchNetwork } from '../chain/switchNetwork.ts'
import { connect, selectConnector } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { pair } from '../connection/pairing.ts'
import { openModal, requestCloseModal } from '../modal/modal.ts'
import { createFakeRelayWallet } from '../testing/fakeRelayWallet.ts'
import { createFakeSignIn, type FakeSignIn } from '../testing/fakeSignIn.ts'
import { ALICE, BOB, walletError } from '../testing/fakeWallet.ts'
import { createKit, devnetTwo, type Kit, offer } from '../testing/kit.ts'
import type { Cacao } from '../types/connector.ts'
import { sessionOf } from './message.ts'
import { cancelSignIn, signIn, signOut } from './signIn.ts'

const SIGNATURE = `0x${'ab'.repeat(65)}`

interface SignInKit extends Kit {
  readonly site: FakeSignIn
}

function createSignInKit(options: Parameters<typeof createKit>[0] = {}): SignInKit {
  const site = createFakeSignIn()
  const kit = createKit({ siwx: site, ...options })
  kit.wallet.answers.personal_sign = () => SIGNATURE
  kit.hawser.mount()
  return { ...kit, site }
}

const status = ({ hawser }: Kit) => hawser.signIn.getState().status
const view = ({ hawser }: Kit) => (hawser.modal.getState().open ? hawser.router.getState().view : undefined)
const toast = ({ hawser }: Kit) => hawser.toast.getState().message
const isConnected = ({ hawser }: Kit) => selectAccount(hawser.chain.getState()).address !== undefined

/** Connects the wallet through the modal, and waits until the account has to sign in. */
async function connected(kit: SignInKit): Promise<void> {
  openModal(kit.hawser)
  selectConnector(kit.hawser, kit.wallet.connector)
  await connect(kit.hawser, { connector: kit.wallet.connector })
  await vi.waitFor(() => expect(status(kit)).toBe('needed'))
}

describe('an account that is connected', () => {
  it('has to sign in, without a way back to the list of wallets', async () => {
    const kit = createSignInKit()
    await connected(kit)
    expect(view(kit)).toBe('ConnectingSiwe')
    expect(kit.hawser.router.getState().history).toEqual(['ConnectingSiwe'])
  })

  it('with a session does not, and the modal closes', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    const { sessions } = kit.site
    const next = createKit({ siwx: kit.site })
    next.hawser.mount()
    openModal(next.hawser)
    await connect(next.hawser, { connector: next.wallet.connector })
    await vi.waitFor(() => expect(status(next)).toBe('signedIn'))
    expect(view(next)).toBeUndefined()
    expect(kit.site.sessions).toBe(sessions)
  })

  it('is disconnected when the sessions cannot be read', async () => {
    const kit = createSignInKit()
    kit.site.error = new Error('offline')
    await connect(kit.hawser, { connector: kit.wallet.connector })
    await vi.waitFor(() => expect(isConnected(kit)).toBe(false))
    expect(toast(kit)).toBe('A problem occurred while trying to initialize authentication')
    expect(kit.eventNames()).toContain('SIWX_AUTH_ERROR')
  })

  it('does not sign in on a network that the site does not list', async () => {
    const kit = createSignInKit({ allowUnsupportedChain: true })
    kit.wallet.chainId = 5
    openModal(kit.hawser)
    await connect(kit.hawser, { connector: kit.wallet.connector })
    await vi.waitFor(() => expect(view(kit)).toBeUndefined())
    expect(status(kit)).toBe('off')
  })

  it('has nothing to sign without the option', async () => {
    const kit = createKit()
    kit.hawser.mount()
    await connect(kit.hawser, { connector: kit.wallet.connector })
    expect(status(kit)).toBe('off')
    expect(view(kit)).toBeUndefined()
  })
})

describe('signing in', () => {
  it('opens a session and closes the modal', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    expect(kit.site.sessions).toMatchObject([{ message: `sign in as ${ALICE}`, signature: SIGNATURE }])
    expect(status(kit)).toBe('signedIn')
    expect(view(kit)).toBeUndefined()
    expect(kit.eventNames()).toEqual(expect.arrayContaining(['CLICK_SIGN_SIWX_MESSAGE', 'SIWX_AUTH_SUCCESS']))
  })

  it('that is declined says so, and can be tried again', async () => {
    const kit = createSignInKit()
    await connected(kit)
    kit.wallet.answers.personal_sign = () => {
      throw walletError(4001, 'No.')
    }
    await signIn(kit.hawser)
    expect(toast(kit)).toBe('Signature declined')
    expect(view(kit)).toBe('ConnectingSiwe')
    expect(kit.eventNames()).toContain('SIWX_AUTH_ERROR')
    kit.wallet.answers.personal_sign = () => SIGNATURE
    await signIn(kit.hawser)
    expect(status(kit)).toBe('signedIn')
  })

  it('refuses a signature that is too short', async () => {
    const kit = createSignInKit()
    await connected(kit)
    kit.wallet.answers.personal_sign = () => '0x1234'
    await signIn(kit.hawser)
    expect(kit.site.sessions).toEqual([])
    expect(toast(kit)).toBe('Signing in failed. Please try again.')
  })

  it('that the site refuses says so', async () => {
    const kit = createSignInKit()
    await connected(kit)
    kit.site.error = new Error('401')
    await signIn(kit.hawser)
    expect(toast(kit)).toBe('Signing in failed. Please try again.')
    expect(status(kit)).toBe('needed')
  })

  it('is required again of another account', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    kit.wallet.accounts = [BOB]
    kit.wallet.emit('accountsChanged', [BOB])
    await vi.waitFor(() => expect(view(kit)).toBe('ConnectingSiwe'))
  })

  it('is required again on another network, and goes back to what was shown', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    openModal(kit.hawser, { view: 'Account' })
    await switchNetwork(kit.hawser, { network: devnetTwo })
    await vi.waitFor(() => expect(view(kit)).toBe('ConnectingSiwe'))
    await signIn(kit.hawser)
    expect(view(kit)).toBe('Account')
  })
})

describe('cancelling', () => {
  it('disconnects an account that has to sign in', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await cancelSignIn(kit.hawser)
    expect(isConnected(kit)).toBe(false)
    expect(view(kit)).toBeUndefined()
    expect(kit.eventNames()).toContain('CLICK_CANCEL_SIWX')
  })

  it('keeps an account connected that does not have to', async () => {
    const kit = createSignInKit()
    kit.site.isRequired = false
    await connected(kit)
    await cancelSignIn(kit.hawser)
    expect(isConnected(kit)).toBe(true)
    expect(view(kit)).toBeUndefined()
  })

  it('is the only way to close the modal while it is required', async () => {
    const kit = createSignInKit()
    await connected(kit)
    requestCloseModal(kit.hawser)
    expect(kit.hawser.modal.getState()).toMatchObject({ open: true, shake: true })
    kit.hawser.signIn.setState({ isRequired: false })
    requestCloseModal(kit.hawser)
    expect(view(kit)).toBeUndefined()
  })

  it('drops a signature that comes late', async () => {
    const kit = createSignInKit()
    kit.site.isRequired = false
    await connected(kit)
    const signing = signIn(kit.hawser)
    await cancelSignIn(kit.hawser)
    await signing
    expect(kit.site.sessions).toEqual([])
  })
})

describe('leaving', () => {
  it('disconnecting signs out', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    await disconnect(kit.hawser)
    expect(kit.site.sessions).toEqual([])
    expect(status(kit)).toBe('off')
  })

  it('disconnecting keeps the sessions of a site that says so, and works while signing out fails', async () => {
    const kit = createSignInKit()
    Object.assign(kit.site, { signOutOnDisconnect: false })
    await connected(kit)
    await signIn(kit.hawser)
    await disconnect(kit.hawser)
    expect(kit.site.sessions).toHaveLength(1)

    const other = createSignInKit()
    await connected(other)
    await signIn(other.hawser)
    other.site.error = new Error('offline')
    await disconnect(other.hawser)
    expect(isConnected(other)).toBe(false)
  })

  it('signing out requests a signature again', async () => {
    const kit = createSignInKit()
    await connected(kit)
    await signIn(kit.hawser)
    await signOut(kit.hawser)
    expect(view(kit)).toBe('ConnectingSiwe')
  })
})

const cacao: Cacao = {
  h: { t: 'caip122' },
  p: {
    iss: `did:pkh:eip155:31337:${ALICE}`,
    domain: 'site.test',
    aud: 'https://site.test',
    version: '1',
    nonce: 'abcdefgh12345678',
    iat: '2026-01-01T00:00:00.000Z',
    statement: 'Sign in.',
    resources: ['urn:recap:e30'],
  },
  s: { t: 'eip191', s: SIGNATURE },
}

describe('a pairing', () => {
  async function paired(kit: SignInKit, phone: ReturnType<typeof createFakeRelayWallet>, cacaos?: Cacao[]) {
    openModal(kit.hawser, { view: 'ConnectingWalletConnect' })
    const attempt = pair(kit.hawser, { connector: phone.connector })
    await vi.waitFor(() => expect(phone.pairings).toHaveLength(1))
    phone.pairings[0]?.approve(cacaos && { cacaos })
    await attempt
  }

  function createPhoneKit() {
    const phone = createFakeRelayWallet(() => kit.clock)
    const kit = createSignInKit({ connectors: [offer(phone)] })
    phone.answers.personal_sign = () => SIGNATURE
    return { kit, phone }
  }

  it('requests the signature with the session, and signs in with it', async () => {
    const { kit, phone } = createPhoneKit()
    await paired(kit, phone, [cacao])
    expect(phone.pairings[0]?.options.authentication).toEqual({
      domain: 'site.test',
      uri: 'https://site.test',
      nonce: 'abcdefgh12345678',
      issuedAt: '2026-01-01T00:00:00.000Z',
    })
    await vi.waitFor(() => expect(status(kit)).toBe('signedIn'))
    expect(view(kit)).toBeUndefined()
    expect(kit.site.sessions).toEqual([await sessionOf(cacao)])
  })

  it.each([
    ['the wallet signs nothing', undefined],
    ['an account cannot be read', [{ ...cacao, p: { ...cacao.p, iss: 'did:key:z6' } }]],
  ])('is followed by a sign-in when %s', async (_, cacaos) => {
    const { kit, phone } = createPhoneKit()
    await paired(kit, phone, cacaos)
    await vi.waitFor(() => expect(view(kit)).toBe('ConnectingSiwe'))
  })
})

it('a message has the form of ERC-4361', async () => {
  expect((await sessionOf(cacao))?.message).toBe(`site.test wants you to sign in with your Ethereum account:
${ALICE}

Sign in.

URI: https://site.test
Version: 1
Chain ID: 31337
Nonce: abcdefgh12345678
Issued At: 2026-01-01T00:00:00.000Z
Resources:
- urn:recap:e30`)
})
