import { bytesToHex } from '@noble/hashes/utils'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { fromBase64, toBase64, toBase64Url } from '../factors/factorKey.ts'
import type { Secret } from '../factors/factors.ts'
import { unseal } from '../factors/seal.ts'
import { memoryStore } from '../session/deviceStore.ts'
import { createFakeWalletService, ORIGIN } from '../testing/fakeWalletService.ts'
import { oldPassword } from '../testing/oldPassword.ts'
import {
  EMAIL,
  message,
  openVault,
  passkey,
  persistentStore,
  signer,
  signIn,
  vaultOf,
  vaultsOf,
} from '../testing/vaults.ts'
import { openRecoveryKit } from './recoveryKit.ts'
import type { Vault } from './vault.ts'

// The cost of Argon2id is tested with the keys of passwords; here, a key only has to depend on its password and salt.
const argon2 = vi.hoisted(() => ({ started: vi.fn(), ended: Promise.resolve() }))
vi.mock('@noble/hashes/argon2', async () => {
  const { sha256 } = await import('@noble/hashes/sha2')
  return {
    async argon2idAsync(password: Uint8Array, salt: Uint8Array, { dkLen }: { dkLen: number }) {
      argon2.started()
      await argon2.ended
      const part = (at: number) => sha256(Uint8Array.of(...password, ...salt, at))
      return Uint8Array.of(...part(0), ...part(1)).slice(0, dkLen)
    },
  }
})

describe('a new user', () => {
  it('gets a wallet that this browser opens again', async () => {
    const service = createFakeWalletService()
    const store = persistentStore()
    const vault = await vaultOf(service, store)
    expect((await vault.startEmail(EMAIL)).words).toBe('amber falcon')
    await vault.waitForDevice()
    await vault.verifyCode('123456')
    expect(await vault.ensureWallet()).toBe(true)
    const { addresses } = await vault.getUser()
    expect(await signer(vault)).toBe(addresses?.eip155)

    const reloaded = await vaultOf(service, store)
    expect(await reloaded.isSignedIn()).toBe(true)
    await expect(reloaded.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
    expect(await reloaded.unlock()).toEqual({ isOpen: true })
    expect(await signer(reloaded)).toBe(addresses?.eip155)
  })

  it('needs a secret where the browser keeps nothing', async () => {
    const service = createFakeWalletService()
    const vault = await vaultOf(service, memoryStore())
    await signIn(vault)
    expect(await vault.ensureWallet()).toBe(false)
    expect(await vault.ensureWallet(passkey(1))).toBe(true)
    expect([...service.users.values()][0]?.factors.map(({ kind }) => kind)).toEqual(['FACTOR_KIND_PASSKEY'])
  })

  it('gets an error for a wrong code', async () => {
    const vault = await vaultOf(createFakeWalletService())
    await vault.startEmail(EMAIL)
    await expect(vault.verifyCode('000000')).rejects.toMatchObject({
      message: 'The code is wrong',
      reason: 'CODE_WRONG',
    })
    await expect(vault.verifyCode('123456')).resolves.toBeUndefined()
  })
})

it('two users of one browser keep their wallets', async () => {
  const service = createFakeWalletService()
  const store = persistentStore()
  const vault = await vaultOf(service, store)
  await signIn(vault)
  await vault.ensureWallet()
  const first = (await vault.getUser()).addresses
  await vault.signOut()

  await signIn(vault, 'mallory@example.com')
  await vault.ensureWallet()
  expect((await vault.getUser()).addresses?.eip155).not.toBe(first?.eip155)
  await vault.signOut()

  const reloaded = await vaultOf(service, store)
  await signIn(reloaded)
  expect(await reloaded.unlock()).toEqual({ isOpen: true })
  expect(await signer(reloaded)).toBe(first?.eip155)
})

it('a half that an earlier release stored opens the wallet of its user only', async () => {
  const service = createFakeWalletService()
  const store = persistentStore()
  const vault = await vaultOf(service, store)
  await signIn(vault)
  await vault.ensureWallet()
  const half = await store.get(`deviceFactor:${EMAIL}`)
  await store.delete(`deviceFactor:${EMAIL}`)
  await store.put('deviceFactor', half)
  const reloaded = await vaultOf(service, store)
  expect(await reloaded.unlock()).toEqual({ isOpen: true })
  await reloaded.signOut()
  await signIn(reloaded, 'mallory@example.com')
  await reloaded.ensureWallet()
  expect(await store.get('deviceFactor')).toEqual(half)
})

describe('the server', () => {
  it('cannot put another wallet in the place of the one that this browser knows', async () => {
    const service = createFakeWalletService()
    const store = persistentStore()
    const vault = await vaultOf(service, store)
    await signIn(vault)
    await vault.ensureWallet()
    const own = (await vault.getUser()).addresses

    const other = createFakeWalletService()
    const forged = await vaultOf(other)
    await signIn(forged)
    await forged.ensureWallet(passkey(1))
    const [user, foreign] = [[...service.users.values()][0], [...other.users.values()][0]]
    if (!user || !foreign?.wallet) throw new Error('no wallet')
    user.wallet = foreign.wallet
    user.factors.splice(0, user.factors.length, ...foreign.factors)
    const reloaded = await vaultOf(service, store)
    const state = await reloaded.unlock()
    expect(state.isOpen).toBe(false)
    const id = foreign.factors.find(({ kind }) => kind === 'FACTOR_KIND_PASSKEY')?.id ?? ''
    await expect(reloaded.unlockWith(id, passkey(1))).rejects.toThrow()
    await expect(reloaded.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
    expect((await store.get<{ addresses: unknown }>(`deviceFactor:${EMAIL}`))?.addresses).toEqual(own)
  })

  it('never receives the entropy, the key that encrypts it, or a half that stays with a factor', async () => {
    const service = createFakeWalletService()
    const vault = await vaultOf(service)
    await signIn(vault)
    await vault.ensureWallet(passkey(1))
    const words = await vault.exportMnemonic()
    const { entropyOf } = await import('../keys/derive.ts')
    const entropy = entropyOf(words) ?? new Uint8Array()
    const sent = service.calls.map(({ body }) => body).join('\n')
    for (const form of [words, bytesToHex(entropy), toBase64(entropy), toBase64Url(entropy)])
      expect(sent).not.toContain(form)
    // One half of the key is sent per factor; the other would complete it.
    const user = [...service.users.values()][0]
    expect(user?.factors).toHaveLength(2)
    expect(new Set(user?.factors.map(({ serverHalf }) => serverHalf)).size).toBe(2)
  })

  it('cannot open a wallet with a changed half, blob or record', async () => {
    const service = createFakeWalletService()
    const vault = await vaultOf(service)
    await signIn(vault)
    await vault.ensureWallet(passkey(1))
    const user = [...service.users.values()][0]
    const factor = user?.factors.find(({ kind }) => kind === 'FACTOR_KIND_PASSKEY')
    const other = await vaultOf(service)
    await signIn(other)
    const flip = (text = '') => {
      const bytes = fromBase64(text)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      return toBase64(bytes)
    }
    if (!user?.wallet || !factor) throw new Error('no wallet')
    const { wallet } = user
    user.wallet = { ...wallet, blob: flip(wallet.blob) }
    await expect(other.unlockWith(factor.id ?? '', passkey(1))).rejects.toThrow()
    user.wallet = wallet
    const half = factor.serverHalf
    Object.assign(factor, { serverHalf: flip(half) })
    await expect(other.unlockWith(factor.id ?? '', passkey(1))).rejects.toThrow()
    Object.assign(factor, { serverHalf: half })
    await other.unlockWith(factor.id ?? '', passkey(1))
    expect(await signer(other)).toBe((await vault.getUser()).addresses?.eip155)
  })

  it('ends the session: the wallet is locked, and the page is notified', async () => {
    const service = createFakeWalletService()
    const signedOut = vi.fn()
    const vault = await vaultOf(service, persistentStore(), signedOut)
    await signIn(vault)
    await vault.ensureWallet()
    service.endSessions()
    await expect(vault.getUser()).rejects.toThrow('Sign in to continue')
    expect(signedOut).toHaveBeenCalledOnce()
    await expect(vault.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
    expect(await vault.isSignedIn()).toBe(false)
  })

  it('refreshes an access token once for calls at the same time', async () => {
    const service = createFakeWalletService()
    let last: Promise<unknown> = Promise.resolve()
    const vault = await openVault({
      projectId: '0'.repeat(32),
      origin: ORIGIN,
      device: { browser: '', system: '', site: '' },
      store: persistentStore(),
      fetch: service.fetch,
      now: () => service.now,
      exclusively: (action) => {
        const result = last.then(action, action)
        last = result
        return result
      },
      signedOut: () => undefined,
    })
    await signIn(vault)
    service.now += 400_000
    await Promise.all([vault.getUser(), vault.getUser(), vault.isSignedIn()])
    expect(service.calls.filter(({ path }) => path.endsWith('/Refresh'))).toHaveLength(1)
  })
})

describe('pages of one site at the same time', () => {
  /** Returns the options of two vaults that share a store, as two tabs do. */
  function sharing() {
    const service = createFakeWalletService()
    const store = persistentStore()
    let last: Promise<unknown> = Promise.resolve()
    const exclusively = <T>(action: () => Promise<T>): Promise<T> => {
      const result = last.then(action)
      last = result.catch(() => undefined)
      return result
    }
    const open = () => vaultOf(service, store, undefined, exclusively)
    return { service, open }
  }

  it('have one device key', async () => {
    const { open } = sharing()
    const [one, other] = await Promise.all([open(), open()])
    await signIn(one)
    expect(await other.isSignedIn()).toBe(true)
  })

  it('keep what is granted in each', async () => {
    const { open } = sharing()
    const [one, other] = [await open(), await open()]
    const grant = { expiry: Date.now() / 1_000 + 60, chainId: 'eip155:1' }
    await Promise.all([
      one.addGrant({ ...grant, context: '0x01' }),
      other.addGrant({ ...grant, context: '0x02' }),
    ])
    expect((await one.listGrants()).map(({ context }) => context)).toEqual(['0x01', '0x02'])
  })
})

it('a session that ended does not end the one that began meanwhile', async () => {
  const service = createFakeWalletService()
  const { fetch } = service
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const vault = await vaultOf({
    ...service,
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (String(input).includes('ListFactors')) await released
      return response
    },
  })
  await signIn(vault)
  service.endSessions()
  const late = expect(vault.listFactors()).rejects.toMatchObject({ reason: 'SESSION_ABSENT' })
  await vi.waitFor(() => expect(service.calls.at(-1)?.path).toContain('ListFactors'))
  await signIn(vault)
  release()
  await late
  expect(await vault.isSignedIn()).toBe(true)
})

it('a wallet that is being opened stays closed once the user has signed out', async () => {
  const vault = await vaultOf(createFakeWalletService())
  const secret = { kind: 'password', password: 'correct horse battery' } as const
  await signIn(vault)
  await vault.ensureWallet(secret)
  await vault.lock()
  const [factor] = await vault.listBackups()
  let release: () => void = () => undefined
  argon2.started.mockClear()
  argon2.ended = new Promise((resolve) => {
    release = resolve
  })
  const opening = expect(vault.unlockWith(factor?.id ?? '', secret)).rejects.toThrow('Sign in to continue')
  await vi.waitFor(() => expect(argon2.started).toHaveBeenCalled())
  await vault.signOut()
  release()
  await opening
  await expect(vault.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
})

it('uses the clock of the server when the clock of the device is wrong', async () => {
  const service = createFakeWalletService()
  const wrong = 3_600_000
  const vault = await openVault({
    projectId: '0'.repeat(32),
    origin: ORIGIN,
    device: { browser: '', system: '', site: '' },
    store: persistentStore(),
    fetch: service.fetch,
    now: () => service.now - wrong,
    exclusively: (action) => action(),
    signedOut: () => undefined,
  })
  await signIn(vault)
  expect(await vault.isSignedIn()).toBe(true)
})

it('signs out although the server cannot be reached', async () => {
  const service = createFakeWalletService()
  const store = persistentStore()
  const vault = await vaultOf(service, store)
  await signIn(vault)
  const offline = await openVault({
    projectId: '0'.repeat(32),
    origin: ORIGIN,
    device: { browser: '', system: '', site: '' },
    store,
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    now: () => service.now,
    exclusively: (action) => action(),
    signedOut: () => undefined,
  })
  await offline.signOut()
  expect(await offline.isSignedIn()).toBe(false)
})

it('every factor alone opens the wallet, after any order of additions and losses', async () => {
  type Step =
    | { readonly kind: 'visit'; readonly site: number }
    | { readonly kind: 'lose'; readonly site: number }
    | { readonly kind: 'addPasskey'; readonly site: number; readonly byte: number }
  const site = fc.nat({ max: 2 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('visit' as const), site }),
    fc.record({ kind: fc.constant('lose' as const), site }),
    fc.record({ kind: fc.constant('addPasskey' as const), site, byte: fc.integer({ min: 2, max: 5 }) }),
  )

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const service = createFakeWalletService()
      const stores = Array.from({ length: 3 }, persistentStore)
      const known = new Map([[1, passkey(1)]])
      const first = await vaultOf(service, stores[0])
      await signIn(first)
      await first.ensureWallet(passkey(1))
      const address = (await first.getUser()).addresses?.eip155

      /** Opens the wallet on a site by what it stores, and by the first passkey otherwise. */
      async function visit(at: number): Promise<Vault> {
        const vault = await vaultOf(service, stores[at])
        if (!(await vault.isSignedIn())) await signIn(vault)
        const state = await vault.unlock()
        if (!state.isOpen) await vault.unlockWith(state.factors[0]?.id ?? '', passkey(1))
        expect(await signer(vault)).toBe(address)
        return vault
      }

      for (const action of steps) {
        if (action.kind === 'lose') stores[action.site] = persistentStore()
        const vault = action.kind === 'lose' ? undefined : await visit(action.site)
        if (action.kind === 'addPasskey' && vault && !known.has(action.byte)) {
          known.set(action.byte, passkey(action.byte))
          await vault.addFactor(passkey(action.byte))
        }
      }
      for (const [byte, secret] of known) {
        const vault = await vaultOf(service)
        await signIn(vault)
        const factor = (await vault.listBackups()).find(
          ({ credentialId }) => credentialId === btoa(String(byte)),
        )
        await vault.unlockWith(factor?.id ?? '', secret)
        expect(await signer(vault)).toBe(address)
      }
    }),
    { numRuns: 15 },
  )
})

it('a factor that was removed opens the wallet never again', async () => {
  const service = createFakeWalletService()
  const store = persistentStore()
  const vault = await vaultOf(service, store)
  await signIn(vault)
  await vault.ensureWallet(passkey(1))
  const [device] = await vault.listFactors()
  await vault.removeFactor(device?.id ?? '')

  const reloaded = await vaultOf(service, store)
  const state = await reloaded.unlock()
  expect(state).toMatchObject({ isOpen: false, factors: [{ kind: 'passkey' }] })
})

it('a login opens the wallet on a new device where the installation keeps both halves', async () => {
  const service = createFakeWalletService()
  service.recoveryByLogin = true
  const vault = await vaultOf(service)
  await signIn(vault)
  await vault.ensureWallet()
  const other = await vaultOf(service)
  await signIn(other)
  expect(await other.unlock()).toEqual({ isOpen: true })
  expect(await signer(other)).toBe((await vault.getUser()).addresses?.eip155)
})

it('a password opens the wallet, and a wrong one does not', async () => {
  const service = createFakeWalletService()
  const vault = await vaultOf(service, memoryStore())
  await signIn(vault)
  await vault.ensureWallet({ kind: 'password', password: 'correct horse battery' })
  const other = await vaultOf(service, memoryStore())
  await signIn(other)
  const [factor] = await other.listBackups()
  await expect(
    other.unlockWith(factor?.id ?? '', { kind: 'password', password: 'incorrect horse' }),
  ).rejects.toThrow('The password is wrong')
  await other.unlockWith(factor?.id ?? '', { kind: 'password', password: 'correct horse battery' })
  expect(await signer(other)).toBe((await vault.getUser()).addresses?.eip155)
})

describe('a password', () => {
  const secret = { kind: 'password', password: 'correct horse battery' } as const

  async function saveWallet() {
    const service = createFakeWalletService()
    const vault = await vaultOf(service, memoryStore())
    await signIn(vault)
    await vault.ensureWallet(secret)
    const user = [...service.users.values()][0]
    if (!user) throw new Error('no user')
    return { service, vault, user }
  }

  it('is checked by the server before it releases what a guess could be compared with', async () => {
    const { service, user } = await saveWallet()
    const guesser = await vaultOf(service, memoryStore())
    await signIn(guesser)
    const [listed] = await guesser.listFactors()
    expect(JSON.parse(atob(listed?.parameters ?? ''))).toMatchObject({ memory: 65_536, passes: 3 })
    expect(listed?.record).toBeUndefined()
    const wrong = { kind: 'password', password: 'incorrect horse' } as const
    await expect(guesser.unlockWith(listed?.id ?? '', wrong)).rejects.toMatchObject({
      reason: 'PASSWORD_WRONG',
    })
    // What proves the password is not what encrypts the half.
    const [factor] = user.factors
    const { half } = JSON.parse(atob(factor?.record ?? ''))
    const check = await crypto.subtle.importKey('raw', fromBase64(factor?.check ?? ''), 'AES-GCM', false, [
      'decrypt',
    ])
    const purpose = `${EMAIL}|${user.wallet?.id}|${factor?.id}|half`
    await expect(unseal(check, fromBase64(half), purpose)).rejects.toThrow()
  })

  it('of an earlier release is replaced when it opens the wallet', async () => {
    const { service, vault, user } = await saveWallet()
    const { addresses } = await vault.getUser()
    const dek = await vault.recoveryKit('kit').then(async (kit) => (await openRecoveryKit(kit, 'kit')).dek)
    const of = { userId: EMAIL, walletId: user.wallet?.id ?? '' }
    user.factors = [{ ...(await oldPassword(dek, of, secret.password)), device: '' }]
    service.needsProof = true

    const other = await vaultOf(service, memoryStore())
    await signIn(other)
    const [old] = await other.listBackups()
    await other.unlockWith(old?.id ?? '', secret)
    const [replaced] = user.factors
    expect(user.factors).toHaveLength(1)
    expect(replaced?.id).not.toBe(old?.id)
    expect(replaced?.check).toBeTruthy()
    const again = await vaultOf(service, memoryStore())
    await signIn(again)
    await again.unlockWith(replaced?.id ?? '', secret)
    expect(await signer(again)).toBe(addresses?.eip155)
  })
})

it('changes of the account are signed by the opened wallet, and refused while it is locked', async () => {
  const service = createFakeWalletService()
  const vault = await vaultOf(service)
  await signIn(vault)
  await vault.ensureWallet(passkey(1))
  service.needsProof = true
  service.provenLogin = true
  await vault.startSocial('github')
  const changes = [
    () => vault.startEmailChange('ada@new.example'),
    () => vault.link(),
    () => vault.keepIdentity('github', '1'),
    () => vault.unlinkIdentity('github', '1'),
    async () => vault.removeFactor((await vault.listFactors())[0]?.id ?? ''),
  ]
  await vault.lock()
  for (const change of changes) await expect(change()).rejects.toMatchObject({ reason: 'LOGIN_STALE' })
  await vault.unlock()
  for (const change of changes) await change()
})

it('a wallet has a backup once its words are written down, or a recovery kit is saved', async () => {
  for (const save of ['recordBackup', 'recoveryKit'] as const) {
    const vault = await vaultOf(createFakeWalletService())
    await signIn(vault)
    await vault.ensureWallet()
    expect(await vault.getUser()).toMatchObject({ hasBackup: false })
    await vault[save]('a password')
    expect(await vault.getUser()).toMatchObject({ hasBackup: true })
  }
})

describe('a page that shares the vault of a frame', () => {
  /** Returns the vault of a frame that the device has opened, and that of a page. */
  async function share(secret?: Secret) {
    const service = createFakeWalletService()
    const serve = await vaultsOf(service)
    const [frame, page] = [serve(false), serve(true)]
    await signIn(frame)
    await frame.ensureWallet(secret)
    service.needsProof = true
    await frame.lock()
    await frame.unlock()
    return { frame, page }
  }
  const changes = (page: Vault) => [
    () => page.startEmailChange('ada@new.example'),
    () => page.keepIdentity('github', '1'),
    () => page.exportMnemonic(),
    () => page.recoveryKit('kit'),
    () => page.recordBackup(),
    () => page.addFactor(passkey(2)),
  ]
  async function refused(page: Vault) {
    for (const change of changes(page))
      await expect(change()).rejects.toMatchObject({ code: 'failed_precondition' })
  }

  it('makes changes only after it has opened the wallet by a secret', async () => {
    const { frame, page } = await share(passkey(1))
    await refused(page)
    expect(await page.unlock()).toEqual({ isOpen: true })
    await refused(page)
    const [backup] = await page.listBackups()
    await page.unlockWith(backup?.id ?? '', passkey(1))
    for (const change of changes(page)) await change()
    await frame.startEmailChange('ada@new.example')
    // The device opens it again after it was locked.
    await frame.lock()
    await frame.unlock()
    await refused(page)
  })

  it('makes changes after the device has opened a wallet that no secret opens', async () => {
    const { page } = await share()
    await refused(page)
    await page.unlock()
    for (const change of changes(page)) await change()
  })

  it('makes changes after a recovery kit has opened the wallet', async () => {
    const { frame, page } = await share(passkey(1))
    await page.restore(await frame.recoveryKit('kit'), 'kit')
    for (const change of changes(page)) await change()
  })
})

it('locks the wallet after 15 minutes without a signature', async () => {
  const service = createFakeWalletService()
  const vault = await vaultOf(service)
  await signIn(vault)
  vi.useFakeTimers()
  try {
    await vault.ensureWallet()
    await vi.advanceTimersByTimeAsync(14 * 60_000)
    expect(await signer(vault)).toMatch(/^0x/)
    await vi.advanceTimersByTimeAsync(15 * 60_000)
    await expect(vault.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
  } finally {
    vi.useRealTimers()
  }
})

it('refuses an authorization that is valid on every chain', async () => {
  const vault = await vaultOf(createFakeWalletService())
  await signIn(vault)
  await vault.ensureWallet()
  const authorization = { chainId: 0, address: `0x${'1'.repeat(40)}`, nonce: 0 } as const
  await expect(vault.sign({ kind: 'authorization', authorization })).rejects.toThrow('must name its chain')
})
